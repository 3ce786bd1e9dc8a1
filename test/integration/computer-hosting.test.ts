import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Computer, parseConfig, type ComputerOptions } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { nextEvent } from '../fixtures/computer/office.js';

const RAW = fileURLToPath(new URL('../fixtures/mcp-servers/raw-server.mjs', import.meta.url));

/** A configuration entry for `raw-server.mjs`. */
function raw(options: JsonObject): JsonObject {
  return { command: process.execPath, args: [RAW, JSON.stringify(options)] };
}

const open: Computer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((computer) => computer.close()));
});

function make(options: ComputerOptions): Computer {
  const computer = new Computer(options);
  open.push(computer);
  return computer;
}

const toolNames = (computer: Computer): string[] => computer.tools().map(({ name }) => name);

describe('a Computer that hosts', () => {
  it('misses no list_changed that comes together with the first list', async () => {
    const computer = make({ servers: { a: raw({ only: ['pid'], lateTool: true }) } });
    const late = nextEvent(computer, 'toolsChanged', () => toolNames(computer).includes('tool-0'));
    computer.start();
    await late;
    expect(toolNames(computer)).toEqual(['pid', 'tool-0']);
  });

  it.each([
    ['removed', (computer: Computer) => computer.removeServer('a')],
    ['replaced', (computer: Computer) => computer.setConfig(parseConfig('{"servers":{}}'))],
  ])('is closed only when a server that was %s before is gone too', async (_how, remove) => {
    const computer = make({ servers: { a: raw({ stubborn: true }) } });
    computer.start();
    await computer.settled();
    const removing = remove(computer);
    let removed = false;
    void removing.then(() => (removed = true));
    await computer.close();
    expect(removed).toBe(true);
  });

  it('says with the reason of a failed start what the server wrote to its standard error [F-B-stderr-shown]', async () => {
    const computer = make({ servers: { a: raw({ dieAtOnce: 3 }) }, hosting: { restarts: { maxRestarts: 0 } } });
    computer.start();
    await computer.settled();
    const reason = computer.servers()[0]?.reason;
    expect(reason).toMatch(/exit code 3\); its standard error ends with: API_KEY is missing set it and try again$/);
  });

  it('says again what is wrong with a server that was removed and comes back', async () => {
    const computer = make({});
    const problems: unknown[] = [];
    computer.on('diagnostic', ({ item }) => problems.push(item));
    computer.start();
    for (let round = 1; round <= 2; round += 1) {
      await computer.addServer('a', raw({ only: ['pid'], brokenItems: true }));
      await computer.restartServer('a');
      // The two items that have no name.
      expect(problems).toHaveLength(2 * round);
      await computer.removeServer('a');
    }
  });

  it('gives a tool that two servers have to the one that stands first in the file, also when names look like numbers', async () => {
    const entry = JSON.stringify(raw({ only: ['pid'] }));
    const computer = make({ config: parseConfig(`{"servers":{"10":${entry},"2":${entry}}}`) });
    const conflict = nextEvent(computer, 'diagnostic');
    computer.start();
    expect(await conflict).toMatchObject([{ server: '2', item: 'pid' }]);
    expect(computer.servers().map(({ server }) => server)).toEqual(['10', '2']);
  });
});
