import { historyFile } from '../places.js';
import type { Terminal } from '../terminal/terminal.js';
import { HistoryFile } from './history-file.js';
import { LineEditor, type LineEditorOptions } from './line-editor.js';
import { reflows } from './reflows.js';

/** A line editor on this process's terminal, with the past lines of one kind of shell. */
export function openEditor(
  kind: 'computer' | 'agent',
  terminal: Terminal,
  complete: LineEditorOptions['complete'],
): { readonly editor: LineEditor; readonly history: HistoryFile } {
  const history = new HistoryFile(historyFile(kind), (problem) => {
    terminal.note(problem);
  });
  const editor = new LineEditor({
    input: process.stdin,
    output: process.stdout,
    terminal,
    history: history.load(),
    reflows: reflows(process.env),
    complete,
  });
  return { editor, history };
}
