import type { Computer, ComputerOptions } from '../../computer/index.js';
import { approval } from '../owner/approval.js';
import { askInput } from '../owner/ask-input.js';
import type { Invocation } from '../command.js';
import type { COMPUTER_FLAGS } from '../flags/computer-flags.js';
import { computerOptions, configFilesOf } from '../flags/computer-options.js';
import { followFiles } from '../computer-shell/follow-files.js';
import { keepApproval } from '../computer-shell/keep-approval.js';
import { OfficeSession } from '../computer-shell/office-session.js';
import { openConsole, type OwnerConsole } from '../computer-shell/owner-console.js';
import { inCommandLineWords, inShellWords } from '../computer-shell/why-not-in-office.js';
import { sentence } from '../describe-failure.js';
import { openDocuments } from '../flags/documents-flag.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { UsageError } from '../failure.js';
import { followLogins } from '../owner/follow-logins.js';
import { loginOptions } from '../flags/login-flags.js';
import { networkOptions } from '../flags/network-flags.js';
import { desktopNotifier } from '../terminal/notify-desktop.js';
import { reportComputer } from '../owner/report-computer.js';
import { stayInOffice } from '../stay-in-office.js';
import { checked } from '../to-usage.js';
import { untilAborted } from '../until-aborted.js';

/** One run: what was asked for, the owner's place, and the configuration files. */
interface Run extends Invocation<typeof COMPUTER_FLAGS> {
  readonly owner: OwnerConsole;
  readonly files: readonly string[];
}

/** `a2c computer run` */
export async function runComputer(invocation: Invocation<typeof COMPUTER_FLAGS>): Promise<ExitCode> {
  const { args, flags, terminal, signal } = invocation;
  const { Computer, ConfigWatcher, parseConfig } = await import('../../computer/index.js');
  using owner = openConsole({ ...flags, terminal, signal });
  const run: Run = { ...invocation, owner, files: configFilesOf(args[0], flags) };
  checkPlaces(run);
  await using documents = await openDocuments(flags, networkOptions(flags));
  await using watcher = new ConfigWatcher(run.files, { logger: invocation.logger });
  const hosted: { computer?: Computer } = {};
  const settings = {
    ...computerOptions(flags),
    ...ownersWord(run, hosted),
    ...(await loginOptions(flags)),
    logger: invocation.logger,
    config: await watcher.start(),
    ...(documents && { documents }),
  };
  await using computer = checked(() => new Computer(settings));
  hosted.computer = computer;
  reportComputer(computer, { terminal, json: flags.json, local: flags.json });
  followLogins(computer, { ...flags, terminal, signal });
  const following = followFiles(watcher, computer, { parseConfig, terminal });
  computer.start();
  try {
    return owner.kind === undefined ? await serve(computer, run) : await obey(computer, run);
  } finally {
    // Before the Computer ends, which takes no other configuration then.
    following[Symbol.dispose]();
  }
}

function checkPlaces({ flags, files, owner, terminal }: Run): void {
  if (files.length === 0) terminal.note('no configuration: this Computer hosts no MCP server');
  if (flags.server !== undefined && flags.office === undefined && owner.kind === undefined) {
    throw new UsageError('--office is missing: give it, or set A2C_OFFICE');
  }
  if (flags.server === undefined) terminal.note('no --server: hosting only');
}

/** How the owner is asked: for the word on a call, and for the values of inputs. */
function ownersWord(
  { flags, owner, files, terminal }: Run,
  hosted: { readonly computer?: Computer },
): Pick<ComputerOptions, 'confirm' | 'prompt'> {
  const { asker } = owner;
  const notifier = desktopNotifier();
  const confirm = approval(flags.approve, {
    asker,
    redact: (value) => hosted.computer?.redact(value),
    always: async (call) => {
      if (hosted.computer !== undefined) await keepApproval(hosted.computer, files, call);
    },
    onProblem: (problem) => {
      terminal.error(problem);
    },
    ...(notifier === undefined
      ? {}
      : {
          notify: (text: string) => {
            notifier('A2C-SMCP', text);
          },
        }),
  });
  return {
    ...(confirm === undefined ? {} : { confirm }),
    ...(asker === undefined ? {} : { prompt: askInput(asker) }),
  };
}

/** Serves an office until stopped; nobody gives commands. */
async function serve(computer: Computer, { flags, signal }: Run): Promise<ExitCode> {
  if (flags.server === undefined) {
    await untilAborted(signal);
    return EXIT_CODES.ok;
  }
  const office = flags.office ?? '';
  try {
    await computer.connect({ signal });
    await computer.joinOffice(office);
  } catch (error) {
    throw inCommandLineWords(error);
  }
  await stayInOffice(computer, office, { signal });
  await computer.leaveOffice();
  return EXIT_CODES.ok;
}

/** Does what the owner says until that is over. */
async function obey(computer: Computer, run: Run): Promise<ExitCode> {
  const { flags, owner, files, terminal } = run;
  const leaving = new AbortController();
  await using office = new OfficeSession(computer, { url: flags.server, office: flags.office }, (problem) => {
    terminal.error(sentence(problem));
  });
  const entering = enter(office, run, leaving.signal);
  // A script finds what it asks for; a person sees it come.
  if (owner.kind === 'pipe') await Promise.all([entering, computer.settled()]);
  try {
    const ok = await owner.run({ computer, office, files, suspend: owner.suspend });
    return ok ? EXIT_CODES.ok : EXIT_CODES.failed;
  } finally {
    leaving.abort();
    await entering.catch(() => undefined);
    await office.leave();
  }
}

async function enter(office: OfficeSession, { flags, owner, terminal }: Run, leaving: AbortSignal): Promise<void> {
  if (flags.server === undefined) return;
  try {
    await office.connect({}, leaving);
  } catch (error) {
    if (owner.kind === 'pipe') throw inCommandLineWords(error);
    if (leaving.aborted) return;
    terminal.error(sentence(inShellWords(error)));
    terminal.note('the shell is there all the same: socket connect tries again');
  }
}
