// Runs the benchmarks, each in a process of its own, one after the other. `npm run bench -- relay` runs only that one.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bench');
const known = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3));
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark called ${unknown.join(', ')}; there are ${known.join(', ')}\n`);
  process.exit(2);
}
const results = known
  .filter((name) => chosen.length === 0 || chosen.includes(name))
  .map((name) => {
    const args = ['--expose-gc', '--import', 'tsx', join(folder, `${name}.ts`)];
    return { name, status: spawnSync(process.execPath, args, { stdio: 'inherit' }).status };
  });
const failed = results.filter(({ status }) => status !== 0).map(({ name }) => name);
if (failed.length > 0) {
  process.stderr.write(`bench: ${failed.join(', ')} failed or missed a bar\n`);
  process.exit(1);
}
