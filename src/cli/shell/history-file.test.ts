import { mkdtempSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HistoryFile } from './history-file.js';

let folder: string;
let problems: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'a2c-history-'));
  problems = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function historyAt(path: string): HistoryFile {
  return new HistoryFile(path, (problem) => problems.push(problem));
}

describe('HistoryFile', () => {
  it('gives the lines back, the newest first and none twice, to the next shell', () => {
    const file = join(folder, 'agent-history');
    const history = historyAt(file);
    for (const line of ['tools', 'status', 'tools', 'call echo', 'status']) history.add(line);
    expect(historyAt(file).load()).toEqual(['status', 'call echo', 'tools']);
    expect(problems).toEqual([]);
  });

  it('makes its folder, and both are their owner’s alone', () => {
    const file = join(folder, 'state', 'a2c', 'agent-history');
    historyAt(file).add('tools');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'state', 'a2c')).mode & 0o777).toBe(0o700);
  });

  it('is shared by shells that run at the same time', () => {
    const file = join(folder, 'agent-history');
    const [one, other] = [historyAt(file), historyAt(file)];
    one.add('first');
    other.add('second');
    one.add('third');
    expect(historyAt(file).load()).toEqual(['third', 'second', 'first']);
  });

  it('is cut to its last 1,000 lines once it has grown to twice as many', () => {
    const file = join(folder, 'agent-history');
    const lines = Array.from({ length: 2_001 }, (_, index) => `line ${index}`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    const loaded = historyAt(file).load();
    expect(loaded).toHaveLength(1_000);
    expect(loaded[0]).toBe('line 2000');
    expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual(lines.slice(-1_000));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is empty where there is no file yet, and holds no empty lines', () => {
    expect(historyAt(join(folder, 'none')).load()).toEqual([]);
    writeFileSync(join(folder, 'gaps'), '\n\none\n  \ntwo\n');
    expect(historyAt(join(folder, 'gaps')).load()).toEqual(['two', 'one']);
    expect(problems).toEqual([]);
  });

  it('says once why it cannot be read or written, and the shell goes on', () => {
    const file = join(folder, 'a-folder');
    mkdirSync(file);
    const history = historyAt(file);
    expect(history.load()).toEqual([]);
    history.add('tools');
    history.add('status');
    expect(problems).toEqual([expect.stringMatching(/a-folder.*EISDIR.*lines are not kept/)]);
  });
});
