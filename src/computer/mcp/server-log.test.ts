import { describe, expect, it } from 'vitest';
import { logMessageLine } from './log-message.js';
import { ServerLog } from './server-log.js';

const plain = (text: string): string => text;

function logOf(...chunks: string[]): ServerLog {
  const log = new ServerLog();
  for (const chunk of chunks) log.stderr(Buffer.from(chunk));
  return log;
}

describe('ServerLog', () => {
  it('gives lines, however they came in pieces', () => {
    expect(logOf('one\ntw', 'o\r\n\n', 'three').lines(plain)).toEqual(['one', 'two', 'three']);
    expect(new ServerLog().lines(plain)).toEqual([]);
  });

  it('puts messages between the lines that were whole when they came', () => {
    const log = logOf('one\ntw');
    log.message('[info] between');
    log.stderr(Buffer.from('o\nthree\n'));
    log.message('last\nin one line');
    expect(log.lines(plain)).toEqual(['one', '[info] between', 'two', 'three', 'last in one line']);
  });

  it('leaves out the line that is being written, which may hold half a secret, until nothing more comes', () => {
    const log = logOf('one\ntwo');
    expect(log.lines(plain, false)).toEqual(['one']);
    expect(log.lines(plain, true)).toEqual(['one', 'two']);
    expect(logOf('only').lines(plain, false)).toEqual([]);
  });

  it('takes the last line of a run for no beginning of the next one', () => {
    const log = logOf('dies here');
    log.begin();
    log.stderr(Buffer.from('starts\n'));
    log.begin();
    expect(log.lines(plain)).toEqual(['dies here', 'starts']);
  });

  it('keeps 64 KiB, never half a line of what was longer', () => {
    const log = new ServerLog();
    for (let index = 0; index < 20_000; index += 1) log.stderr(Buffer.from(`line ${index} ${'x'.repeat(20)}\n`));
    const lines = log.lines(plain);
    expect(lines.length).toBeGreaterThan(1_500);
    expect(lines.length).toBeLessThan(6_000);
    expect(lines.at(-1)).toMatch(/^line 19999 /);
    for (const line of lines) expect(line).toMatch(/^line \d+ x{20}$/);
    log.stderr(Buffer.from('y'.repeat(10_000_000)));
    expect(log.lines(plain)).toEqual([]);
    log.stderr(Buffer.from('\nshort\n'));
    expect(log.lines(plain)).toEqual(['short']);
  });

  it('keeps the last 200 messages, and those only that came after the standard error that is kept or with it', () => {
    const log = new ServerLog();
    for (let index = 0; index < 1_000; index += 1) log.message(`m${index}`);
    const lines = log.lines(plain);
    expect(lines).toHaveLength(200);
    expect(lines.at(-1)).toBe('m999');
  });

  it('shows no secret that was learnt since, over lines too, and cuts long lines', () => {
    const log = logOf(`key canary\nsecret ${'x'.repeat(5_000)}\n`);
    const lines = log.lines((text) => text.replace('canary\nsecret', '******'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^key \*{6} x+…$/);
    expect(lines[0]).toHaveLength(1_001);
  });
});

describe('logMessageLine', () => {
  it.each([
    [{ level: 'warning', logger: 'db', data: 'lost' }, '[warning] db: lost'],
    [{ level: 'info', data: { a: [1, null] } }, '[info] {"a":[1,null]}'],
    [{ data: 'two\r\nlines' }, 'two lines'],
    [{ level: 7, logger: '', data: 3 }, '3'],
    [{}, 'null'],
    [undefined, 'null'],
  ])('%j', (params, line) => {
    expect(logMessageLine(params, plain)).toBe(line);
  });

  it('costs little however large the data is, and shows no half of a secret', () => {
    const began = performance.now();
    const secret = 'canary-secret';
    const data = { text: `${'x'.repeat(960)}${secret}${'y'.repeat(20_000_000)}` };
    const line = logMessageLine({ data }, (text) => text.replaceAll(secret, '******'));
    expect(line).not.toContain('canary');
    expect(line.length).toBe(1_001);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
