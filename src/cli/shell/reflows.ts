/**
 * Whether a terminal wraps anew the line of its cursor when its size changes. Nearly all do: not xterm itself, GNU screen,
 * and those made of xterm.js.
 */
export function reflows(env: Readonly<Record<string, string | undefined>>): boolean {
  if ((env['TMUX'] ?? '') !== '') return true;
  const isXterm = (env['XTERM_VERSION'] ?? '') !== '' || env['TERM_PROGRAM'] === 'vscode';
  return !isXterm && !/^(screen|linux)/.test(env['TERM'] ?? '');
}
