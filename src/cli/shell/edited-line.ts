/** What is being edited. `nothing`: a command runs; what is typed meanwhile is kept for later. */
export type EditorMode = 'nothing' | 'command' | 'question';

/** What was being edited when a question came. */
export interface EditedLine {
  readonly mode: EditorMode;
  readonly prompt: string;
  readonly settle: ((line: string | undefined) => void) | undefined;
  readonly text: string;
  readonly cursor: number;
  readonly history: readonly string[];
}
