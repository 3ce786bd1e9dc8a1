import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { toggle } from '../flags/flags.js';
import { completeLine } from './complete-line.js';
import { expandHome } from './complete-path.js';
import { shellCommands } from './shell-command.js';

const define = shellCommands<undefined>();
const run = (): void => undefined;
const TABLE = [
  define({
    path: 'start',
    summary: '',
    args: [{ name: 'SERVER', help: '', completes: ['server'] }],
    flags: {},
    examples: ['start a'],
    run,
  }),
  define({ path: 'status', summary: '', args: [], flags: {}, examples: ['status'], run }),
  define({
    path: 'server add',
    summary: '',
    args: [{ name: 'CONFIG', help: '', completes: ['@file'] }],
    flags: {},
    examples: ['server add {}'],
    run,
  }),
  define({
    path: 'server rm',
    aliases: ['server remove'],
    summary: '',
    args: [{ name: 'SERVER', help: '', completes: ['server'] }],
    flags: { force: toggle('') },
    examples: ['server rm a'],
    run,
  }),
  define({
    path: 'save',
    summary: '',
    args: [{ name: 'FILE', help: '', completes: ['file'] }],
    flags: {},
    examples: ['save'],
    run,
  }),
  define({
    path: 'tc',
    summary: '',
    args: [
      { name: 'TOOL', help: '', completes: ['tool'] },
      { name: 'V', help: '', rest: true, optional: true, completes: ['parameter'] },
    ],
    flags: {},
    examples: ['tc x'],
    run,
  }),
];
const NAMES: Readonly<Record<string, readonly string[]>> = {
  server: ['files', 'my files'],
  tool: ['echo'],
  parameter: ['message='],
};
const complete = (line: string): [string[], string] => completeLine(line, TABLE, (kind) => NAMES[kind] ?? []);

const folder = mkdtempSync(join(tmpdir(), 'a2c-complete-'));
writeFileSync(join(folder, 'one.json'), '');
writeFileSync(join(folder, 'with blank.json'), '');
mkdirSync(join(folder, 'sub'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('completeLine', () => {
  it.each([
    ['', ['save', 'server', 'start', 'status', 'tc'], ''],
    ['st', ['start', 'status'], 'st'],
    ['star', ['start '], 'star'],
    ['server ', ['add', 'remove', 'rm'], ''],
    ['server a', ['add '], 'a'],
    ['start ', ['files', '"my files"'], ''],
    ['start f', ['files '], 'f'],
    ['start "m', ['"my files" '], '"m'],
    ['server remove fi', ['files '], 'fi'],
    ['server rm --', ['--force', '--json', '--help'], '--'],
    ['tc ec', ['echo '], 'ec'],
    ['tc echo m', ['message='], 'm'],
    ['tc {"a', [], 'tc {"a'],
    ['status x', [], 'x'],
    ['nonsense x', [], 'x'],
  ])('offers for %j %j', (line, candidates, typed) => {
    expect(complete(line)).toEqual([candidates, typed]);
  });

  it.each([
    [`save ${folder}/`, [`${folder}/one.json`, `${folder}/sub/`, `${folder}/with\\ blank.json`]],
    [`save ${folder}/o`, [`${folder}/one.json `]],
    [`save ${folder}/s`, [`${folder}/sub/`]],
    [`save "${folder}/w`, [`"${folder}/with blank.json" `]],
    [`server add @${folder}/o`, [`@${folder}/one.json `]],
    [`server add ${folder}/o`, []],
    [`save ${folder}/missing/`, []],
  ])('offers paths for %j', (line, candidates) => {
    expect(complete(line)[0]).toEqual(candidates);
  });

  it('offers only what goes on from what was typed, whatever that was', () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        const [candidates, typed] = complete(line);
        expect(line.endsWith(typed)).toBe(true);
        for (const candidate of candidates) expect(candidate.startsWith(typed)).toBe(true);
      }),
    );
  });
});

describe('expandHome', () => {
  it.each([
    ['~', '/home/me'],
    ['~/a', '/home/me/a'],
    ['~other', '~other'],
    ['a/~', 'a/~'],
  ])('takes %j for %j', (path, expanded) => {
    expect(expandHome(path, '/home/me')).toBe(expanded);
  });
});
