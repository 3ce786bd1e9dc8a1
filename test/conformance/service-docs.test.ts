import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLACES, placeOf, type PlaceName } from '../../src/cli/places.js';
import { parseCommandLine } from '../../src/cli/program.js';
import { EXIT_CODES } from '../../src/cli/exit-codes.js';
import { parseConfig } from '../../src/computer/index.js';

const read = (page: string): string => readFileSync(join(import.meta.dirname, '..', '..', 'docs', page), 'utf8');
const page = read('service.md');

/** The words after `a2c` of everything that starts it, by the kind of file. */
const STARTED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  systemd: [...page.matchAll(/^ExecStart=\/usr\/bin\/env a2c (.*)$/gm)].map(([, line = '']) => line.split(' ')),
  launchd: [...page.matchAll(/<array>([\s\S]*?)<\/array>/g)].map(([, array = '']) =>
    [...array.matchAll(/<string>(.*?)<\/string>/g)].map(([, word = '']) => word).slice(1),
  ),
  docker: [...page.matchAll(/^ENTRYPOINT (\[.*\])$/gm)].map(([, list = '']) => (JSON.parse(list) as string[]).slice(1)),
};

describe('The page about services', () => {
  it.each([
    ['systemd', 2],
    ['launchd', 1],
    ['docker', 1],
  ])('starts only commands that there are, by %s', (kind, count) => {
    const started = STARTED[kind] ?? [];
    expect(started).toHaveLength(count);
    for (const argv of started) {
      const errors: string[] = [];
      const output = { out: () => undefined, err: (text: string) => errors.push(text) };
      expect(parseCommandLine(argv, '0', output), errors.join('')).not.toHaveProperty('exitCode');
    }
  });

  it('has systemd not start again what would be wrong again', () => {
    const [computer, server] = [...page.matchAll(/^RestartPreventExitStatus=(.*)$/gm)].map(([, codes]) => codes);
    expect(computer).toBe(`${EXIT_CODES.usage} ${EXIT_CODES.versionMismatch}`);
    expect(server).toBe(String(EXIT_CODES.usage));
  });

  it('shows the places of the table of places', () => {
    const home = '~';
    for (const name of Object.keys(PLACES) as PlaceName[]) {
      const row =
        page.split('\n').find((line) => line.trimEnd().replace(/ *\|$/, '').endsWith(`\`${PLACES[name].override}\``)) ??
        '';
      expect(row).toContain(`| \`${placeOf(name, { env: {}, platform: 'linux', home })}\``);
      expect(row).toContain(`| \`${placeOf(name, { env: {}, platform: 'darwin', home })}\``);
      const windows = placeOf(name, { env: { APPDATA: 'C:\\R', LOCALAPPDATA: 'C:\\L' }, platform: 'win32', home });
      expect(row).toContain(`| \`${windows.replace('C:\\R', '%APPDATA%').replace('C:\\L', '%LOCALAPPDATA%')}\``);
    }
  });

  it.each(['service.md', 'networks.md'])('shows only configurations that can be read, as %s does', (file) => {
    const examples = [...read(file).matchAll(/```jsonc?\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(examples).toHaveLength(1);
    for (const example of examples) expect(parseConfig(example).warnings).toEqual([]);
  });
});
