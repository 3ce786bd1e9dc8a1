import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { rowsOf, ScreenOutput } from './screen-output.js';

class Stream extends EventEmitter {
  text = '';
  columns = 40;

  write(text: string): void {
    this.text += text;
  }
}

describe('ScreenOutput', () => {
  it('lets through what is written only while it is not muted, and what is drawn always', () => {
    const stream = new Stream();
    const screen = new ScreenOutput(stream);
    screen.write('lost');
    screen.draw('drawn ');
    screen.muted = false;
    screen.write('written ');
    screen.write(Buffer.from('路径'));
    expect(stream.text).toBe('drawn written 路径');
  });

  it('is as wide as its terminal, also after that has changed, until it is closed', () => {
    const stream = new Stream();
    const screen = new ScreenOutput(stream);
    const widths: number[] = [];
    screen.on('resize', () => widths.push(screen.columns));
    stream.columns = 100;
    stream.emit('resize');
    screen.destroy();
    stream.emit('resize');
    expect(widths).toEqual([100]);
    expect(stream.listenerCount('resize')).toBe(0);
  });

  it('takes 80 columns for granted where the terminal says none', () => {
    expect(new ScreenOutput({ write: () => true }).columns).toBe(80);
    expect(new ScreenOutput({ write: () => true, columns: 0 }).columns).toBe(80);
  });
});

describe('rowsOf', () => {
  it.each([
    ['nothing', [], 0],
    ['an empty line', [''], 1],
    ['a line that fits', ['x'.repeat(10)], 1],
    ['a line that is one too long', ['x'.repeat(11)], 2],
    ['wide characters', ['工具工具工具'], 2],
    ['several lines', ['x', 'x'.repeat(25), ''], 5],
  ])('counts the rows of %s', (_, lines, rows) => {
    expect(rowsOf(lines, 10)).toBe(rows);
  });
});
