import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { PipedLines } from './piped-lines.js';

it('gives the lines of a pipe one after the other, whatever ends them, and then nothing', async () => {
  const input = new PassThrough();
  using lines = new PipedLines(input, new AbortController().signal);
  input.end('one\r\ntwo\n\nthree');
  const read: (string | undefined)[] = [];
  for (let count = 0; count < 6; count += 1) read.push(await lines.readLine());
  expect(read).toEqual(['one', 'two', '', 'three', undefined, undefined]);
});

it('keeps lines that come while nobody reads', async () => {
  const input = new PassThrough();
  using lines = new PipedLines(input, new AbortController().signal);
  input.write('one\ntwo\nth');
  expect(await lines.readLine()).toBe('one');
  input.end('ree\n');
  expect(await lines.readLine()).toBe('two');
  expect(await lines.readLine()).toBe('three');
});

it('ends when it is stopped, also while it waits', async () => {
  const stop = new AbortController();
  using lines = new PipedLines(new PassThrough(), stop.signal);
  const line = lines.readLine();
  stop.abort();
  expect(await line).toBeUndefined();
  expect(await lines.readLine()).toBeUndefined();
});
