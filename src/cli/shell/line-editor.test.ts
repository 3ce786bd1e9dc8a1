import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Monitor } from '../../../test/support/monitor.js';
import { Terminal } from '../terminal/terminal.js';
import { LineEditor } from './line-editor.js';

const LEFT = '\u001B[D';
const UP = '\u001B[A';
const CTRL_A = '\u0001';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const LONG = 'a line that is longer than the screen is wide, twice over';

let monitor: Monitor;
let editor: LineEditor;

function open({ history = [], reflows = true }: { history?: string[]; reflows?: boolean } = {}): void {
  monitor = new Monitor({ reflows });
  editor = new LineEditor({
    input: monitor.keyboard,
    output: monitor.output,
    terminal: monitor.terminal,
    history,
    reflows,
    complete: (line) => (line === 'he' ? [['help '], 'he'] : [[], line]),
  });
}

beforeEach(() => {
  open();
});
afterEach(() => {
  editor[Symbol.dispose]();
  monitor[Symbol.dispose]();
});

describe('a line that is being typed', () => {
  it('stays below what is printed meanwhile, its cursor where it was', async () => {
    const line = editor.readLine('a2c> ');
    await monitor.type('tools fil', LEFT, LEFT, LEFT);
    monitor.terminal.note('something has happened');
    monitor.terminal.line('and a result');
    expect(await monitor.rows()).toEqual(['something has happened', 'and a result', 'a2c> tools fil']);
    expect(await monitor.cursor()).toEqual({ row: 2, column: 'a2c> tools '.length });
    await monitor.type('my', ' ', '\r');
    expect(await line).toBe('tools my fil');
  });

  it('is not torn where it takes several rows, wherever its cursor is', async () => {
    const line = editor.readLine('a2c> ');
    await monitor.type(LONG, LEFT, LEFT, LEFT, LEFT);
    monitor.terminal.note('one');
    await monitor.type(CTRL_A);
    monitor.terminal.note('two');
    await monitor.type('XY');
    monitor.terminal.note('three');
    await monitor.type('Z');
    const whole = `a2c> XYZ${LONG}`;
    expect(await monitor.rows()).toEqual(['one', 'two', 'three', whole.slice(0, 40), whole.slice(40)]);
    expect(await monitor.cursor()).toEqual({ row: 3, column: 'a2c> XYZ'.length });
    await monitor.type('\r');
    expect(await line).toBe(`XYZ${LONG}`);
  });

  it('is not torn where it ends just at the edge of the screen', async () => {
    void editor.readLine('a2c> ');
    await monitor.type('x'.repeat(35));
    monitor.terminal.note('one');
    monitor.terminal.note('two');
    expect(await monitor.rows()).toEqual(['one', 'two', `a2c> ${'x'.repeat(35)}`]);
    await monitor.type('y');
    expect(await monitor.rows()).toEqual(['one', 'two', `a2c> ${'x'.repeat(35)}`, 'y']);
  });

  it('is not torn with wide characters', async () => {
    void editor.readLine('a2c> ');
    await monitor.type('工具'.repeat(12), LEFT);
    monitor.terminal.note('一');
    monitor.terminal.note('二');
    const rows = await monitor.rows();
    expect(rows.slice(0, 2)).toEqual(['一', '二']);
    expect(rows.slice(2).join('').replaceAll(' ', '')).toBe(`a2c>${'工具'.repeat(12)}`);
  });

  it('may be pasted in pieces between which something is printed', async () => {
    const line = editor.readLine('a2c> ');
    monitor.keyboard.push('one ');
    monitor.terminal.note('first');
    monitor.keyboard.push(LEFT + LEFT);
    monitor.terminal.note('second');
    monitor.keyboard.push('ZZ');
    await monitor.settle();
    expect(await monitor.rows()).toEqual(['first', 'second', 'a2c> onZZe']);
    monitor.keyboard.push('\r');
    expect(await line).toBe('onZZe ');
  });

  it('is drawn anew where the screen becomes wider or narrower, and nothing above it is lost', async () => {
    const line = editor.readLine('a2c> ');
    monitor.terminal.note('above');
    await monitor.type(LONG);
    for (const columns of [30, 20, 33, 50, 100, 40]) {
      await monitor.resize(columns);
      const whole = `a2c> ${LONG}`;
      const pieces = Array.from({ length: Math.ceil(whole.length / columns) }, (_, row) =>
        whole.slice(row * columns, (row + 1) * columns).trimEnd(),
      );
      expect(await monitor.rows()).toEqual(['above', ...pieces]);
    }
    await monitor.type('\r');
    expect(await line).toBe(LONG);
  });

  it('leaves what is above it alone where the terminal does not wrap lines anew', async () => {
    editor[Symbol.dispose]();
    open({ reflows: false });
    void editor.readLine('a2c> ');
    monitor.terminal.note('above');
    await monitor.type(LONG);
    for (const columns of [30, 20]) {
      await monitor.resize(columns);
      expect((await monitor.rows())[0]).toBe('above');
      expect((await monitor.rows()).at(-1)).toMatch(/er$/);
    }
  });

  it('may be pasted into the middle of a long one, and edited on from there', async () => {
    const line = editor.readLine('a2c> ');
    monitor.keyboard.push(LONG);
    await monitor.type(CTRL_A);
    monitor.keyboard.push(`${LONG} `);
    await monitor.type(LEFT, '!');
    const whole = `a2c> ${LONG}! ${LONG}`;
    const pieces = [whole.slice(0, 40), whole.slice(40, 80), whole.slice(80, 120), whole.slice(120)];
    expect(await monitor.rows()).toEqual(pieces.map((piece) => piece.trimEnd()));
    await monitor.type('\r');
    expect(await line).toBe(`${LONG}! ${LONG}`);
  });

  it('takes a tab that is pasted for what it is', async () => {
    const line = editor.readLine('a2c> ');
    monitor.keyboard.push('xhe');
    await monitor.type(CTRL_A);
    monitor.keyboard.push('he\tlp');
    await monitor.settle();
    await monitor.type('\r');
    expect(await line).toBe('he\tlpxhe');
  });

  it('is completed by Tab, and brought back by Up', async () => {
    editor[Symbol.dispose]();
    open({ history: ['newest', 'older'] });
    const first = editor.readLine('a2c> ');
    await monitor.type('he', '\t', '\r');
    expect(await first).toBe('help ');
    const second = editor.readLine('a2c> ');
    await monitor.type(UP, UP, UP, '\r');
    expect(await second).toBe('older');
  });
});

describe('lines that are typed before they are asked for', () => {
  it('are taken one after the other, each shown at its prompt', async () => {
    const first = editor.readLine('a2c> ');
    await monitor.type('one\r');
    expect(await first).toBe('one');
    await monitor.type('two\rthree\rfo');
    monitor.terminal.line('the result of one');
    expect(await editor.readLine('a2c> ')).toBe('two');
    expect(await editor.readLine('a2c> ')).toBe('three');
    const last = editor.readLine('a2c> ');
    await monitor.type('ur\r');
    expect(await last).toBe('four');
    expect(await monitor.rows()).toEqual(['a2c> one', 'the result of one', 'a2c> two', 'a2c> three', 'a2c> four']);
  });
});

describe('lines of what goes on', () => {
  it('stand above the line that is typed, change in place, and go', async () => {
    const line = editor.readLine('a2c> ');
    await monitor.type('too');
    editor.setStatus(['⠋ files: starting, 1 s', '⠋ web: starting, 1 s']);
    expect(await monitor.rows()).toEqual(['⠋ files: starting, 1 s', '⠋ web: starting, 1 s', 'a2c> too']);
    monitor.terminal.note('printed');
    editor.setStatus(['⠙ web: starting, 2 s']);
    await monitor.type('l');
    expect(await monitor.rows()).toEqual(['printed', '⠙ web: starting, 2 s', 'a2c> tool']);
    await monitor.type('\r');
    expect(await line).toBe('tool');
    editor.setStatus([]);
    monitor.terminal.line('result');
    expect(await monitor.rows()).toEqual(['printed', 'a2c> tool', 'result']);
  });

  it('stand at the end while a command runs', async () => {
    editor.setStatus(['echo: 1 s']);
    monitor.terminal.line('one');
    editor.setStatus(['echo: 2 s']);
    monitor.terminal.line('two');
    expect(await monitor.rows()).toEqual(['one', 'two', 'echo: 2 s']);
    editor.setStatus([]);
    void editor.readLine('a2c> ');
    expect(await monitor.rows()).toEqual(['one', 'two', 'a2c>']);
  });

  it('do not tear a line of several rows', async () => {
    void editor.readLine('a2c> ');
    await monitor.type(LONG, LEFT, LEFT);
    editor.setStatus(['one']);
    await monitor.type(CTRL_A);
    editor.setStatus(['one', 'two']);
    editor.setStatus(['three']);
    const whole = `a2c> ${LONG}`;
    expect(await monitor.rows()).toEqual(['three', whole.slice(0, 40).trimEnd(), whole.slice(40).trimEnd()]);
    expect(await monitor.cursor()).toEqual({ row: 1, column: 5 });
  });
});

describe('a question', () => {
  const never = new AbortController().signal;

  it('puts the line that is typed aside, and brings it back with its cursor', async () => {
    const line = editor.readLine('a2c> ');
    await monitor.type('tools file', LEFT, LEFT);
    const answer = editor.ask({ about: 'About it', question: 'Really? ' }, never);
    await monitor.shows('Really?');
    expect(await monitor.rows()).toEqual(['About it', 'Really?']);
    monitor.terminal.note('printed meanwhile');
    await monitor.type('yes');
    monitor.terminal.note('and again');
    expect(await monitor.rows()).toEqual(['About it', 'printed meanwhile', 'and again', 'Really? yes']);
    await monitor.type('\r');
    expect(await answer).toBe('yes');
    expect((await monitor.rows()).slice(-2)).toEqual(['Really? yes', 'a2c> tools file']);
    await monitor.type('X', '\r');
    expect(await line).toBe('tools fiXle');
  });

  it('has an answer that is not among the past lines', async () => {
    const answer = editor.ask({ about: '', question: 'Name? ' }, never);
    await monitor.shows('Name?');
    await monitor.type('alice\r');
    expect(await answer).toBe('alice');
    const line = editor.readLine('a2c> ');
    await monitor.type(UP, '\r');
    expect(await line).toBe('');
  });

  it('never shows a hidden answer, nor keeps it, whatever is printed or pressed meanwhile', async () => {
    const answer = editor.ask({ about: 'The token', question: 'token: ', hidden: true }, never);
    await monitor.shows('token:');
    await monitor.type('s3cr');
    monitor.terminal.note('printed meanwhile');
    editor.setStatus(['what goes on']);
    await monitor.type('\t', LEFT, LEFT, CTRL_A, '-');
    await monitor.resize(30);
    monitor.keyboard.push('pasted');
    await monitor.type(UP);
    editor.setStatus([]);
    await monitor.type('\r');
    await answer;
    const line = editor.readLine('a2c> ');
    await monitor.type(UP, '\r');
    expect(await line).toBe('');
    expect(monitor.written).not.toMatch(/s3cr|past/);
    expect(await monitor.rows()).toEqual(['The token', 'printed meanwhile', 'token:', 'a2c>']);
  });

  it('takes a hidden answer as it was typed', async () => {
    const answer = editor.ask({ about: '', question: 'token: ', hidden: true }, never);
    await monitor.shows('token:');
    await monitor.type('s3x', '\u007F', 'cret');
    monitor.terminal.note('printed meanwhile');
    await monitor.type('!\r');
    expect(await answer).toBe('s3cret!');
    expect(await monitor.rows()).toEqual(['printed meanwhile', 'token:']);
  });

  it.each([
    ['Ctrl-C', CTRL_C],
    ['Ctrl-D', CTRL_D],
  ])('is not answered with %s, and the line is there again', async (_, key) => {
    const line = editor.readLine('a2c> ');
    await monitor.type('typed');
    const answer = editor.ask({ about: '', question: 'Really? ' }, never);
    await monitor.shows('Really?');
    await monitor.type(key);
    expect(await answer).toBeUndefined();
    expect(await monitor.rows()).toEqual(['Really? (not answered)', 'a2c> typed']);
    await monitor.type(' on\r');
    expect(await line).toBe('typed on');
  });

  it('goes when nobody wants its answer any more, and the next one comes', async () => {
    const line = editor.readLine('a2c> ');
    await monitor.type('typed');
    const give = new AbortController();
    const first = editor.ask({ about: '', question: 'One? ' }, give.signal);
    const second = editor.ask({ about: '', question: 'Two? ' }, never);
    await monitor.shows('One?');
    await monitor.type('ye');
    give.abort(new Error('too late'));
    await expect(first).rejects.toThrow('too late');
    await monitor.shows('Two?');
    await monitor.type('no\r');
    expect(await second).toBe('no');
    await monitor.type('\r');
    expect(await line).toBe('typed');
    expect(await monitor.rows()).toEqual(['One? ye(not answered)', 'Two? no', 'a2c> typed']);
  });

  it('shows what it is about where it is answered, also when stderr goes elsewhere', async () => {
    editor[Symbol.dispose]();
    monitor = new Monitor();
    let elsewhere = '';
    const terminal = new Terminal(monitor.output, { write: (text) => (elsewhere += String(text)) }, false);
    editor = new LineEditor({
      input: monitor.keyboard,
      output: monitor.output,
      terminal,
      history: [],
      complete: (line) => [[], line],
    });
    void editor.ask({ about: 'About it', question: 'Really? ' }, never).catch(() => undefined);
    await monitor.shows('Really?');
    expect(await monitor.rows()).toEqual(['About it', 'Really?']);
    expect(elsewhere).toBe('');
  });

  it('is not mixed with what was pasted behind the command that asks it', async () => {
    const first = editor.readLine('a2c> ');
    monitor.keyboard.push('run\ry');
    await monitor.settle();
    await first;
    const answer = editor.ask({ about: 'About it', question: 'Really? ' }, never);
    await monitor.shows('Really?');
    expect(await monitor.rows()).toEqual(['a2c> run', 'About it', 'Really?']);
    await monitor.type('\r');
    expect(await answer).toBe('');
    void editor.readLine('a2c> ');
    await monitor.shows('a2c> y');
  });

  it('comes while a command runs, and leaves what is typed ahead alone', async () => {
    const first = editor.readLine('a2c> ');
    await monitor.type('run\r');
    await first;
    await monitor.type('next\r', 'half');
    const answer = editor.ask({ about: '', question: 'Really? ' }, never);
    await monitor.shows('Really?');
    await monitor.type('y\r');
    expect(await answer).toBe('y');
    expect(await editor.readLine('a2c> ')).toBe('next');
    const line = editor.readLine('a2c> ');
    await monitor.type('-done\r');
    expect(await line).toBe('half-done');
  });
});

describe('Ctrl-C', () => {
  it('takes a line that was begun away', async () => {
    const line = editor.readLine('a2c> ');
    await monitor.type('wrong', CTRL_C, 'right\r');
    expect(await line).toBe('right');
    expect(await monitor.rows()).toEqual(['a2c> wrong^C', 'a2c> right']);
  });

  it('leaves when it comes twice on an empty line, and says so at the first', async () => {
    const line = editor.readLine('a2c> ');
    await monitor.type(CTRL_C);
    expect(await monitor.rows()).toEqual(['Ctrl-C again, Ctrl-D or quit leaves', 'a2c>']);
    await monitor.type('x', '\r');
    expect(await line).toBe('x');
    const last = editor.readLine('a2c> ');
    await monitor.type(CTRL_C, CTRL_C);
    expect(await last).toBeUndefined();
  });

  it('interrupts the command that runs, and drops what was typed ahead', async () => {
    let interrupts = 0;
    editor.onInterrupt = () => {
      interrupts += 1;
    };
    const first = editor.readLine('a2c> ');
    await monitor.type('run\r');
    await first;
    await monitor.type('next\r', 'half', CTRL_C);
    expect(interrupts).toBe(1);
    const line = editor.readLine('a2c> ');
    await monitor.type('fresh\r');
    expect(await line).toBe('fresh');
  });
});

describe('the end', () => {
  it('comes with Ctrl-D on an empty line, not on another', async () => {
    const first = editor.readLine('a2c> ');
    await monitor.type('ab', CTRL_A, CTRL_D, '\r');
    expect(await first).toBe('b');
    const last = editor.readLine('a2c> ');
    await monitor.type(CTRL_D);
    expect(await last).toBeUndefined();
    expect(await editor.readLine('a2c> ')).toBeUndefined();
  });

  it('comes when the terminal goes, also for a question and the line below it', async () => {
    const line = editor.readLine('a2c> ');
    const answer = editor.ask({ about: '', question: 'Really? ' }, new AbortController().signal);
    await monitor.shows('Really?');
    await monitor.hangUp();
    expect(await answer).toBeUndefined();
    expect(await line).toBeUndefined();
  });

  it('gives the terminal back as it was', async () => {
    void editor.readLine('a2c> ');
    await monitor.type('x');
    expect(monitor.keyboard.raw).toBe(true);
    editor[Symbol.dispose]();
    editor[Symbol.dispose]();
    monitor.terminal.line('after');
    expect(monitor.keyboard.raw).toBe(false);
    expect(await monitor.rows()).toEqual(['after']);
  });

  it('may be a loan: another program has the terminal until it has ended', async () => {
    void editor.readLine('a2c> ');
    await monitor.type('begun', LEFT);
    await editor.suspend(() => {
      expect(monitor.keyboard.raw).toBe(false);
      monitor.output.write('the editor\n');
      return Promise.resolve();
    });
    await monitor.type('X');
    expect(await monitor.rows()).toEqual(['the editor', 'a2c> beguXn']);
  });
});
