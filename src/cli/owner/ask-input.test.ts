import { describe, expect, it } from 'vitest';
import { Desk } from '../../../test/support/desk.js';
import type { McpServerInput } from '../../protocol/index.js';
import { askInput } from './ask-input.js';
import { Keyboard } from '../terminal/keyboard.js';

const { signal } = new AbortController();

async function answer(input: McpServerInput, ...lines: readonly string[]): Promise<{ value: unknown; desk: Desk }> {
  const desk = new Desk();
  const asked = askInput(new Keyboard(desk, desk.terminal))(input, { signal });
  let shown = 0;
  for (const line of lines) {
    // Each line after a question that was not there before.
    while (desk.screen.split(/: |\? /).length - 1 <= shown) await desk.changes();
    shown = desk.screen.split(/: |\? /).length - 1;
    desk.type(`${line}\n`);
  }
  return { value: await asked, desk };
}

const text = (more: object = {}): McpServerInput => ({ id: 'region', type: 'promptString', description: '', ...more });
const pick: McpServerInput = { id: 'r', type: 'pickString', description: 'Region', options: ['eu', 'us', '3'] };

describe('askInput', () => {
  it('asks for a text, and leaves an empty line to the default', async () => {
    expect(await answer(text(), 'eu west')).toMatchObject({ value: 'eu west', desk: { screen: 'region: ' } });
    const named = await answer(text({ description: 'The region', default: 'eu' }), '');
    expect(named).toMatchObject({ value: undefined, desk: { screen: 'The region (region) [eu]: ' } });
  });

  it('does not show a password, lets it be mended, and gives the keyboard back', async () => {
    const { value, desk } = await answer(text({ password: true }), 'secrey\u007ft\u007f\u007fet');
    expect(value).toBe('secret');
    expect(desk.screen).toBe('region: \n');
    expect(desk.raw).toBe(false);
  });

  it.each([
    ['us', 'us'],
    [' 2 ', 'us'],
    ['3', '3'],
    ['', undefined],
  ])('takes %j for the choice %j', async (typed, value) => {
    expect(await answer(pick, typed)).toMatchObject({ value });
  });

  it('shows the choices, and asks again for one that there is', async () => {
    const { value, desk } = await answer(pick, '9', 'eu');
    expect(value).toBe('eu');
    expect(desk.screen).toContain('Region (r)\n  1. eu\n  2. us\n  3. 3\nWhich one? ');
    expect(desk.screen).toContain('There is no such choice. Region (r)');
  });

  it('takes the end of input for no answer, and is given up with its signal', async () => {
    const desk = new Desk();
    const keyboard = new Keyboard(desk, desk.terminal);
    const stop = new AbortController();
    const given = askInput(keyboard)(text({ password: true }), { signal: stop.signal });
    await desk.shows('region: ');
    const waiting = askInput(keyboard)(text(), { signal: stop.signal });
    const last = askInput(keyboard)(text({ id: 'last' }), { signal });
    stop.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    await expect(waiting).rejects.toThrow('enough');
    await desk.shows('last: ');
    expect(desk.raw).toBe(false);
    desk.push(null);
    expect(await last).toBeUndefined();
  });
});
