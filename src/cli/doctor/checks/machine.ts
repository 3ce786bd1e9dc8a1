import { statfs } from 'node:fs/promises';
import { PROTOCOL_VERSION } from '../../../protocol/index.js';
import { PLACES, placeOf, type PlaceName } from '../../places.js';
import { fail, ok, warn, type Check, type Finding } from '../check.js';
import { nearestFolder, whyNotWritable } from '../files.js';

/** Node.js itself, against what package.json asks for. */
export const nodeCheck: Check = {
  id: 'node',
  title: 'Node.js',
  run: ({ machine }) => {
    const wanted = machine.package.engines.node.replace(/^\D*/, '');
    const found = machine.nodeVersion;
    if (isOlder(found, wanted)) return [fail(`${found}, which is too old`, `install Node.js ${wanted} or newer`)];
    return [ok(found)];
  },
};

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.replace(/^v/, '').split('.').map(Number));
  for (const [index, part] of (b ?? []).entries()) {
    const own = a?.[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}

/** This package. */
export const packageCheck: Check = {
  id: 'package',
  title: 'a2c',
  run: ({ machine }) => [ok(`${machine.package.version}, protocol ${PROTOCOL_VERSION}`)],
};

/** What can be shown and asked here. */
export const terminalCheck: Check = {
  id: 'terminal',
  title: 'terminal',
  run: ({ machine: { terminal } }) => {
    const { stdin, stdout, colour, columns } = terminal;
    const out = stdout ? `${columns ?? 'unknown'} columns` : 'stdout is no terminal';
    const asks = stdin ? 'questions can be asked' : 'stdin is no terminal: nothing is asked, as with --headless';
    return [ok(`${out}, ${colour ? 'colours' : 'no colours'}; ${asks}`)];
  },
};

/** Where this program keeps its files. */
export const placesCheck: Check = {
  id: 'places',
  title: 'folders',
  run: async ({ machine, logins }) => {
    const findings: Finding[] = [];
    for (const name of Object.keys(PLACES) as PlaceName[]) {
      const folder = name === 'logins' ? logins : placeOf(name, machine);
      const { holds, override } = PLACES[name];
      const problem = await whyNotWritable(folder);
      const found = `${folder}: ${holds}`;
      if (problem === undefined) findings.push(ok(found));
      else findings.push(warn(`${found}; ${problem}`, `let this user write there, or set ${override}`));
    }
    return findings;
  },
};

const MIB = 1024 * 1024;
const LOW_BYTES = 500 * MIB;

/** Room for documents. */
export const diskCheck: Check = {
  id: 'disk',
  title: 'free disk',
  run: async ({ machine }) => {
    const { bavail, bsize } = await statfs(await nearestFolder(placeOf('cache', machine)));
    const free = bavail * bsize;
    const found = `${Math.floor(free / MIB)} MiB where documents are kept`;
    return [free < LOW_BYTES ? warn(found, `make room, or set ${PLACES.cache.override}`) : ok(found)];
  },
};
