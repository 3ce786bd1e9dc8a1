import type { Reporter } from 'vitest/node';
import { CHROMIUM_SETUP, findChromium } from './chromium.js';
import { PYTHON_PEER_SETUP, pythonSocketIoVersion } from './python-peer.js';
import { hasShells, SHELLS_SETUP } from './shells.js';
import { hasTmux, TMUX_SETUP } from './tmux.js';
import { hasVersitygw, VERSITYGW_SETUP } from './versitygw.js';

/** What some tests need beyond Node.js and npm. With `CI=true` a missing one is a failure, not a skip. */
const TOOLS = [
  { tests: 'the Agent in a real browser', isHere: () => findChromium() !== undefined, setup: CHROMIUM_SETUP },
  { tests: 'peers in Python', isHere: () => pythonSocketIoVersion() !== undefined, setup: PYTHON_PEER_SETUP },
  { tests: 'the shells on a real terminal', isHere: hasTmux, setup: TMUX_SETUP },
  { tests: 'completion in bash, zsh and fish', isHere: hasShells, setup: SHELLS_SETUP },
  { tests: 'documents in S3', isHere: hasVersitygw, setup: VERSITYGW_SETUP },
];

/** Says at the end of a run which tests were skipped, and how to run them next time. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(): void {
    for (const { tests, setup } of TOOLS.filter(({ isHere }) => !isHere())) {
      process.stdout.write(`skipped: ${tests}. To test this too: ${setup}\n`);
    }
  }
}
