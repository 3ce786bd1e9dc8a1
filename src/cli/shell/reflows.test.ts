import { expect, it } from 'vitest';
import { reflows } from './reflows.js';

it.each([
  ['most terminals', {}, true],
  ['tmux, whatever it runs in', { TMUX: '/tmp/tmux-0/default,1,0', TERM: 'screen', TERM_PROGRAM: 'vscode' }, true],
  ['xterm', { XTERM_VERSION: 'XTerm(390)', TERM: 'xterm-256color' }, false],
  ['the terminal of VS Code', { TERM_PROGRAM: 'vscode' }, false],
  ['GNU screen', { TERM: 'screen.xterm-256color' }, false],
  ['the console of Linux', { TERM: 'linux' }, false],
])('knows of %s whether it wraps lines anew', (_, env, expected) => {
  expect(reflows(env)).toBe(expected);
});
