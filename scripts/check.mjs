// Everything that can be said about the source without running it. `node scripts/check.mjs NAME…` runs only those.
import { spawnSync } from 'node:child_process';

const CHECKS = {
  build: ['node', 'scripts/build.mjs'],
  types: ['tsc', '--noEmit'],
  lint: ['eslint', '.'],
  format: ['prettier', '--check', '--log-level', 'warn', '.'],
  borders: ['depcruise', '--output-type', 'err', 'src'],
  'dead code': ['knip'],
  package: ['publint', '--strict'],
  exports: ['attw', '--pack', '.', '--profile', 'esm-only', '--format', 'ascii', '--quiet'],
};

const chosen = process.argv.slice(2);
const failed = [];
for (const [name, [command, ...args]] of Object.entries(CHECKS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const started = Date.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
  if (status !== 0) {
    failed.push(name);
    process.stdout.write(`${stdout ?? ''}${stderr ?? ''}\n`);
  }
}
if (failed.length > 0) {
  process.stdout.write(`check: ${failed.join(', ')} failed\n`);
  process.exit(1);
}
