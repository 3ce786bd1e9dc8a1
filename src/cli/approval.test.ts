import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CallToConfirm, ConfirmToolCall } from '../computer/index.js';
import { approval } from './approval.js';
import { Desk } from '../../test/support/desk.js';
import { keyboardOf } from './keyboard.js';

const CALL: CallToConfirm = {
  reqId: '1',
  agent: 'agent-1',
  server: 'files',
  tool: 'write',
  exposedName: 'write_file',
  params: { path: 'x\u001B[31m' },
  meta: undefined,
};

function asking(desk: Desk): ConfirmToolCall {
  const confirm = approval('ask', keyboardOf({ headless: false }, desk.terminal, desk));
  if (confirm === undefined) throw new Error('nobody is asked');
  return confirm;
}

const NEVER = new AbortController().signal;

describe('approval', () => {
  it.each([
    ['y', true],
    ['YES ', true],
    ['n', false],
    ['', false],
    ['yesterday', false],
  ])('takes the answer %j for %s', async (typed, verdict) => {
    const desk = new Desk();
    const answer = asking(desk)(CALL, { signal: NEVER });
    await desk.shows('Allow? [y/N] ');
    expect(desk.screen).toContain('"agent-1" wants to call "write_file" of "files" with {"path":"x\\u001b[31m"}');
    desk.type(`${typed}\n`);
    expect(await answer).toBe(verdict);
    expect(desk.raw).toBe(false);
  });

  it('takes the end of input for no', async () => {
    const desk = new Desk();
    const answer = asking(desk)(CALL, { signal: NEVER });
    await desk.shows('Allow?');
    desk.push(null);
    expect(await answer).toBe(false);
  });

  it('does not take for an answer what was typed before the question', async () => {
    const desk = new Desk();
    desk.type('y\ny');
    const answer = asking(desk)(CALL, { signal: NEVER });
    await desk.shows('Allow?');
    desk.type('\n');
    expect(await answer).toBe(false);
  });

  it('asks one question at a time', async () => {
    const desk = new Desk();
    const confirm = asking(desk);
    const first = confirm(CALL, { signal: NEVER });
    const second = confirm({ ...CALL, exposedName: 'second' }, { signal: NEVER });
    await desk.shows('Allow?');
    expect(desk.screen).not.toContain('second');
    desk.type('y\n');
    expect(await first).toBe(true);
    await desk.shows('second');
    await desk.shows('[y/N]');
    await desk.shows('{"path":"x\\u001b[31m"}\nAllow? [y/N] "agent-1" wants');
    desk.type('n\n');
    expect(await second).toBe(false);
  });

  it('takes back a question whose answer is not wanted any more, and asks the next one', async () => {
    const desk = new Desk();
    const confirm = asking(desk);
    const stop = new AbortController();
    const first = confirm(CALL, { signal: stop.signal });
    await desk.shows('Allow?');
    stop.abort(new Error('too late'));
    await expect(first).rejects.toThrow('too late');
    expect(desk.screen).toMatch(/Allow\? \[y\/N\] \(not answered\)\n$/);
    await expect(confirm(CALL, { signal: stop.signal })).rejects.toThrow('too late');
    const next = confirm({ ...CALL, exposedName: 'next' }, { signal: NEVER });
    await desk.shows('"next" of "files" with {"path":"x\\u001b[31m"}\nAllow? [y/N] ');
    desk.type('y\n');
    expect(await next).toBe(true);
  });

  it('keeps the question below the lines that are printed meanwhile', async () => {
    const desk = new Desk();
    const answer = asking(desk)(CALL, { signal: NEVER });
    await desk.shows('Allow?');
    desk.terminal.line('news');
    expect(desk.screen.endsWith('Allow? [y/N] \r\u001B[2Knews\nAllow? [y/N] ')).toBe(true);
    desk.type('y\n');
    expect(await answer).toBe(true);
    desk.terminal.line('later');
    expect(desk.screen).toMatch(/\[y\/N\] later\n$/);
  });

  it.each(['always', 'never'] as const)('asks nobody with --approve %s', async (approve) => {
    const desk = new Desk();
    const confirm = approval(approve, undefined);
    expect(await confirm?.(CALL, { signal: NEVER })).toBe(approve === 'always');
    expect(desk.screen).toBe('');
  });

  it('has nobody to ask without a terminal, or with --headless', () => {
    const desk = new Desk();
    expect(approval('ask', keyboardOf({ headless: true }, desk.terminal, desk))).toBeUndefined();
    const piped = Object.assign(new PassThrough(), { setRawMode: () => undefined });
    expect(approval('ask', keyboardOf({ headless: false }, desk.terminal, piped))).toBeUndefined();
  });
});
