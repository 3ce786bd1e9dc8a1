import { withAck } from '../with-agent.js';
import { printable } from '../terminal/printable.js';
import { counted } from '../terminal/render-result.js';
import type { Terminal } from '../terminal/terminal.js';
import { requestOptions, type Asking } from './asking.js';
import { whyDesktopIsEmpty, type WantedWindows } from './why-desktop-empty.js';

/** Shows a desktop once. */
export async function showDesktop(asking: Asking, wanted: WantedWindows): Promise<void> {
  const { ack, answer } = await withAck((onAck) =>
    asking.agent.getDesktop(wanted.computer, { ...optionsOf(asking, wanted), ...onAck }),
  );
  const why = answer.length > 0 || asking.json ? [] : await whyDesktopIsEmpty(asking, wanted);
  asking.show(ack, (terminal) => {
    print(answer, terminal);
    for (const line of why) terminal.note(printable(line));
  });
}

/** Shows a desktop again at each change, until it is stopped. */
export async function watchDesktop(asking: Asking, wanted: WantedWindows): Promise<void> {
  for await (const desktops of asking.agent.watchDesktop(wanted.computer, optionsOf(asking, wanted))) {
    asking.show({ desktops }, (terminal) => {
      terminal.clear();
      const heading = `${printable(wanted.computer)}: ${counted(desktops.length, 'window')}, ${new Date().toLocaleTimeString()}`;
      terminal.line(terminal.style('bold', heading));
      print(desktops, terminal);
    });
  }
}

function optionsOf(asking: Asking, { size, window }: WantedWindows): Parameters<Asking['agent']['getDesktop']>[1] {
  return {
    ...requestOptions(asking),
    ...(size === undefined ? {} : { size }),
    ...(window === undefined ? {} : { window }),
  };
}

function print(desktops: readonly string[], terminal: Terminal): void {
  if (desktops.length === 0) terminal.note('no windows');
  else terminal.line(desktops.map(printable).join(`\n\n${terminal.style('dim', '─'.repeat(40))}\n`));
}
