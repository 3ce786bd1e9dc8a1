import type { Interface } from 'node:readline';
import { rowsOf, type ScreenOutput } from './screen-output.js';

/**
 * What of a line editor is on the screen: lines of what goes on, and below them the line that is edited. Readline draws
 * the latter, unless what is typed is hidden or nothing is edited.
 */
export class EditorView {
  readonly #screen: ScreenOutput;
  readonly #readline: () => Interface;
  #status: readonly string[] = [];
  #prompt: string | undefined;
  #hidden = false;
  #shown = false;
  #away = false;

  /** @param readline - the one that edits now. */
  constructor(screen: ScreenOutput, readline: () => Interface) {
    this.#screen = screen;
    this.#readline = readline;
  }

  /** What stands before the line that is edited; `undefined` when none is. */
  get prompt(): string | undefined {
    return this.#prompt;
  }

  /** Somebody else has the screen: nothing is drawn. */
  set away(away: boolean) {
    if (away) this.hide();
    this.#away = away;
    if (!away) this.show();
  }

  /** Other lines of what goes on. */
  setStatus(lines: readonly string[]): void {
    if (lines.length === this.#status.length && lines.every((line, index) => line === this.#status[index])) return;
    this.#change(() => {
      this.#status = lines;
    });
  }

  /** Another prompt for the same line. */
  setPrompt(prompt: string): void {
    if (prompt === this.#prompt) return;
    this.#change(() => {
      this.#prompt = prompt;
    });
  }

  /** Another line is edited, or none. What stood there must be off the screen, or is to be taken off it. */
  edit(prompt: string | undefined, { hidden = false }: { readonly hidden?: boolean } = {}): void {
    this.hide();
    this.#prompt = prompt;
    this.#hidden = hidden;
    this.show();
  }

  /** The line that is edited stays where it is, as something of the past. */
  end(ending = ''): void {
    if (this.#shown) this.#screen.draw(ending);
    this.#shown = false;
    this.#screen.muted = true;
  }

  /** The same without what goes on, which is not of the past. Readline is about to end the line. */
  beforeEnd(): void {
    if (this.#drawsItself || this.#status.length === 0) return;
    this.#readline().setPrompt(this.#prompt ?? '');
    this.#readline().prompt(true);
  }

  /** Puts it on the screen. */
  show(): void {
    if (this.#away) return;
    if (this.#drawsItself) {
      const lines = this.#lines;
      this.#screen.draw(lines.join('\n'));
      this.#shown = lines.length > 0;
      return;
    }
    // Else readline would go up by the rows of what stood there before.
    if (!this.#shown) this.#cursorRow = 0;
    this.#shown = true;
    this.#screen.muted = false;
    this.#readline().setPrompt(this.#lines.join('\n'));
    this.#readline().prompt(true);
  }

  /** Takes it off the screen, the cursor where it began. */
  hide(): void {
    if (!this.#shown) return;
    this.#shown = false;
    const rows = this.#drawsItself
      ? rowsOf(this.#lines, this.#screen.columns) - 1
      : this.#readline().getCursorPos().rows;
    this.#screen.draw(`\r${rows > 0 ? `\u001B[${rows}A` : ''}\u001B[J`);
    this.#screen.muted = true;
  }

  /** Tells readline in which row its cursor is: the terminal has wrapped anew what stands there, or many keys came. */
  recount(): void {
    if (this.#shown && !this.#drawsItself) this.#cursorRow = this.#readline().getCursorPos().rows;
  }

  /** Where readline believes its cursor to be, counted from where its prompt begins. */
  set #cursorRow(row: number) {
    (this.#readline() as unknown as { prevRows: number }).prevRows = row;
  }

  #change(change: () => void): void {
    const wasShown = this.#shown;
    if (this.#drawsItself) this.hide();
    change();
    if (wasShown || this.#prompt === undefined) this.show();
  }

  get #drawsItself(): boolean {
    return this.#prompt === undefined || this.#hidden;
  }

  get #lines(): readonly string[] {
    return this.#prompt === undefined ? this.#status : [...this.#status, this.#prompt];
  }
}
