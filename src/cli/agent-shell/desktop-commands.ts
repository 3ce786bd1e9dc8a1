import { UsageError } from '../failure.js';
import { toggle } from '../flags/flags.js';
import { printable } from '../terminal/printable.js';
import { renderTable } from '../terminal/render-table.js';
import { askComputer, ASK_FLAGS, define } from './agent-context.js';
import { showDesktop, watchDesktop } from './ask-desktop.js';
import { requestOptions } from './asking.js';
import { whyDesktopIsEmpty, type WantedWindows } from './why-desktop-empty.js';

const desktop = define({
  path: 'desktop',
  summary: "Show the Computer's desktop: SIZE windows at most, or the one of URI",
  args: [
    { name: 'SIZE', help: 'at most so many windows; or the URI of one', optional: true, completes: ['window'] },
    { name: 'URI', help: 'only this window', optional: true, completes: ['window'] },
  ],
  flags: { ...ASK_FLAGS, watch: toggle('show it again at each change, until Ctrl-C') },
  examples: ['desktop', 'desktop 5', 'desktop window://com.example.notes/list', 'desktop --watch'],
  run: (call) => {
    const wanted = windowsIn(call.args);
    const show = call.flags.watch ? watchDesktop : showDesktop;
    return askComputer(call, (asking, computer) => show(asking, { computer, ...wanted }));
  },
});

/** Size and URI come in either order: digits are the size. */
function windowsIn(words: readonly (string | undefined)[]): Omit<WantedWindows, 'computer'> {
  let size: number | undefined;
  let window: string | undefined;
  for (const word of words) {
    if (word === undefined) continue;
    if (/^-?\d{1,7}$/.test(word)) {
      if (size !== undefined) throw new UsageError('SIZE: expected one number');
      size = Number(word);
    } else {
      if (window !== undefined) throw new UsageError('URI: expected one window');
      window = word;
    }
  }
  return { size, window };
}

const windows = define({
  path: 'windows',
  summary: "List the windows on the Computer's desktop by their URIs",
  args: [],
  flags: ASK_FLAGS,
  examples: ['windows'],
  run: (call) =>
    askComputer(call, async (asking, computer) => {
      const texts = await asking.agent.getDesktop(computer, requestOptions(asking));
      const found = texts.map(windowOf);
      for (const { uri } of found) call.context.seen.windows.add(uri);
      const why = found.length > 0 || asking.json ? [] : await whyDesktopIsEmpty(asking, { computer });
      asking.show({ windows: found }, (terminal) => {
        const rows = found.map(({ uri, characters, begins }) => [uri, `${characters} characters`, begins]);
        for (const line of renderTable(rows, terminal.width)) terminal.line(line);
        if (found.length === 0) terminal.note('no windows');
        for (const line of why) terminal.note(printable(line));
      });
    }),
});

/** The text of a window is its URI, an empty line, and what it shows. Protocol §8.1. */
function windowOf(text: string): { uri: string; characters: number; begins: string } {
  const [uri = '', ...lines] = text.split('\n');
  const content = lines.join('\n').trim();
  return { uri, characters: content.length, begins: content.split('\n', 1)[0] ?? '' };
}

/** What an Agent sees of a desktop. */
export const DESKTOP_COMMANDS = [desktop, windows];
