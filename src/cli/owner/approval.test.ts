import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CallToConfirm, ConfirmToolCall } from '../../computer/index.js';
import { approval, type ApprovalOptions } from './approval.js';
import { Desk } from '../../../test/support/desk.js';
import { keyboardOf, type Asker } from '../terminal/keyboard.js';

const CALL: CallToConfirm = {
  reqId: '1',
  agent: 'agent-1',
  server: 'files',
  tool: 'write',
  exposedName: 'write_file',
  params: { path: 'x\u001B[31m' },
  meta: undefined,
};

function optionsOf(asker: Asker | undefined, more: Partial<ApprovalOptions> = {}): ApprovalOptions {
  return { asker, redact: (value) => value, onProblem: () => undefined, now: () => 0, ...more };
}

function asking(desk: Desk): ConfirmToolCall {
  const confirm = approval('ask', optionsOf(keyboardOf({ headless: false }, desk.terminal, desk)));
  if (confirm === undefined) throw new Error('nobody is asked');
  return confirm;
}

const NEVER = { signal: new AbortController().signal, timeoutMs: 58_000 };

describe('approval', () => {
  it.each([
    ['y', true],
    ['YES ', true],
    ['n', false],
    ['', false],
  ])('takes the answer %j for %s', async (typed, verdict) => {
    const desk = new Desk();
    const answer = asking(desk)(CALL, NEVER);
    await desk.shows('Allow? [y/N] (s: this session; 58 s) ');
    expect(desk.screen).toContain('"agent-1" wants to call "write_file" of "files" with {"path":"x\\u001b[31m"}');
    desk.type(`${typed}\n`);
    expect(await answer).toBe(verdict);
    expect(desk.raw).toBe(false);
  });

  it('takes the end of input for no', async () => {
    const desk = new Desk();
    const answer = asking(desk)(CALL, NEVER);
    await desk.shows('Allow?');
    desk.push(null);
    expect(await answer).toBe(false);
  });

  it('does not take for an answer what was typed before the question', async () => {
    const desk = new Desk();
    desk.type('y\ny');
    const answer = asking(desk)(CALL, NEVER);
    await desk.shows('Allow?');
    desk.type('\n');
    expect(await answer).toBe(false);
  });

  it('asks one question at a time', async () => {
    const desk = new Desk();
    const confirm = asking(desk);
    const first = confirm(CALL, NEVER);
    const second = confirm({ ...CALL, exposedName: 'second' }, NEVER);
    await desk.shows('Allow?');
    expect(desk.screen).not.toContain('second');
    desk.type('y\n');
    expect(await first).toBe(true);
    await desk.shows('second');
    await desk.shows('[y/N]');
    await desk.shows('{"path":"x\\u001b[31m"}\nAllow? [y/N] (s: this session; 58 s) "agent-1" wants');
    desk.type('n\n');
    expect(await second).toBe(false);
  });

  it('takes back a question whose answer is not wanted any more, and asks the next one', async () => {
    const desk = new Desk();
    const confirm = asking(desk);
    const stop = new AbortController();
    const first = confirm(CALL, { ...NEVER, signal: stop.signal });
    await desk.shows('Allow?');
    stop.abort(new Error('too late'));
    await expect(first).rejects.toThrow('too late');
    expect(desk.screen).toMatch(/Allow\? \[y\/N\] \(s: this session; 58 s\) \(not answered\)\n$/);
    await expect(confirm(CALL, { ...NEVER, signal: stop.signal })).rejects.toThrow('too late');
    const next = confirm({ ...CALL, exposedName: 'next' }, NEVER);
    await desk.shows('"next" of "files" with {"path":"x\\u001b[31m"}\nAllow? [y/N] (s: this session; 58 s) ');
    desk.type('y\n');
    expect(await next).toBe(true);
  });

  it('keeps the question below the lines that are printed meanwhile', async () => {
    const desk = new Desk();
    const answer = asking(desk)(CALL, NEVER);
    await desk.shows('Allow?');
    desk.terminal.line('news');
    expect(
      desk.screen.endsWith(
        'Allow? [y/N] (s: this session; 58 s) \r\u001B[2Knews\nAllow? [y/N] (s: this session; 58 s) ',
      ),
    ).toBe(true);
    desk.type('y\n');
    expect(await answer).toBe(true);
    desk.terminal.line('later');
    expect(desk.screen).toMatch(/58 s\) later\n$/);
  });

  it('asks again after what is no answer', async () => {
    const desk = new Desk();
    const answer = asking(desk)(CALL, NEVER);
    await desk.shows('Allow?');
    desk.type('status\n');
    await desk.shows('That is no answer: type y, s, a or n. "agent-1" wants');
    desk.type('y\n');
    expect(await answer).toBe(true);
  });

  it('asks no more in this session about that tool for that Agent after "s"', async () => {
    const desk = new Desk();
    const confirm = asking(desk);
    const first = confirm(CALL, NEVER);
    await desk.shows('Allow?');
    const second = confirm(CALL, NEVER);
    desk.type('s\n');
    expect(await Promise.all([first, second])).toEqual([true, true]);
    const shown = desk.screen;
    expect(await confirm(CALL, NEVER)).toBe(true);
    expect(desk.screen).toBe(shown);
    const other = confirm({ ...CALL, agent: 'agent-2' }, NEVER);
    await desk.shows('"agent-2" wants');
    desk.type('n\n');
    expect(await other).toBe(false);
  });

  it('keeps "always", and lets the call run also where that cannot be kept', async () => {
    const desk = new Desk();
    const kept: string[] = [];
    const problems: string[] = [];
    const asker = keyboardOf({ headless: false }, desk.terminal, desk);
    const always = ({ tool }: CallToConfirm): Promise<void> => {
      kept.push(tool);
      return kept.length > 1 ? Promise.reject(new Error('the file is gone')) : Promise.resolve();
    };
    const confirm = approval('ask', optionsOf(asker, { always, onProblem: (problem) => problems.push(problem) }));
    for (const tool of ['write', 'delete']) {
      const answer = confirm?.({ ...CALL, tool, exposedName: tool }, NEVER);
      await desk.shows(`"${tool}" of`);
      await desk.shows('s: this session, a: always; 58 s');
      desk.type('always\n');
      expect(await answer).toBe(true);
    }
    expect(kept).toEqual(['write', 'delete']);
    expect(problems).toEqual(['"always" is not kept: the file is gone']);
  });

  it('tells who may be looking elsewhere, and shows no secret', async () => {
    const desk = new Desk();
    const told: string[] = [];
    const asker = keyboardOf({ headless: false }, desk.terminal, desk);
    const redact = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '******'));
    const confirm = approval('ask', optionsOf(asker, { redact, notify: (text) => told.push(text) }));
    const answer = confirm?.({ ...CALL, params: { password: 'hunter2' } }, NEVER);
    await desk.shows('{"password":"******"}');
    expect(told).toEqual(['"agent-1" wants to call "write_file" of "files"']);
    desk.type('\n');
    expect(await answer).toBe(false);
  });

  it.each(['always', 'never'] as const)('asks nobody with --approve %s', async (approve) => {
    const desk = new Desk();
    const confirm = approval(approve, optionsOf(undefined));
    expect(await confirm?.(CALL, NEVER)).toBe(approve === 'always');
    expect(desk.screen).toBe('');
  });

  it('has nobody to ask without a terminal, or with --headless', () => {
    const desk = new Desk();
    expect(approval('ask', optionsOf(keyboardOf({ headless: true }, desk.terminal, desk)))).toBeUndefined();
    const piped = Object.assign(new PassThrough(), { setRawMode: () => undefined });
    expect(approval('ask', optionsOf(keyboardOf({ headless: false }, desk.terminal, piped)))).toBeUndefined();
  });
});
