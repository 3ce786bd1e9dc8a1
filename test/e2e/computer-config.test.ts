import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RunningCli, runCli } from '../support/cli.js';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'a2c-config-'));
const file = join(folder, 'computer.json');
const bundled = join(root, 'dist/cli/demo/bundled-server.js');

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function server(more: object = {}): object {
  return { command: process.execPath, args: [bundled], ...more };
}

/** As editors save: a new file takes the place of the old one. */
function save(content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

describe('a2c computer run and its configuration file', () => {
  it('starts what is added, stops what is removed, leaves the rest alone, and keeps the last good content [F-H-last-good] [F-H-only-changed] [F-H-rename]', async () => {
    save(JSON.stringify({ servers: { kept: server() } }));
    await using computer = new RunningCli(['computer', 'run', file]);
    const state = (name: string, wanted: string): Promise<unknown> =>
      computer.line((line) => line['server'] === name && line['state'] === wanted);
    await state('kept', 'running');

    save(`// a comment\n${JSON.stringify({ servers: { kept: server(), added: server() } })}`);
    await state('added', 'running');

    save('{ "servers": {');
    await computer.logged(/computer\.json: .*; the last configuration stays in force/);

    save(JSON.stringify({ servers: { added: server() } }));
    await state('kept', 'stopped');
    expect(computer.lines.filter((line) => line['server'] === 'kept').map((line) => line['state'])).toEqual([
      'starting',
      'running',
      'stopped',
    ]);
    expect(computer.lines.some((line) => line['server'] === 'added' && line['state'] === 'stopped')).toBe(false);
    expect(await computer.stop()).toBe(0);
  });

  it('reads an envFile at the start of its server, and a missing one stops that server only', async () => {
    writeFileSync(join(folder, '.env'), 'export GREETING="hello there"\n');
    save(
      JSON.stringify({
        servers: { fine: server({ envFile: '.env' }), lost: server({ envFile: 'none.env' }), plain: server() },
      }),
    );
    await using computer = new RunningCli(['computer', 'run', file]);
    await computer.line((line) => line['server'] === 'fine' && line['state'] === 'running');
    await computer.line((line) => line['server'] === 'plain' && line['state'] === 'running');
    const { reason } = await computer.line((line) => line['server'] === 'lost' && line['state'] === 'failed');
    expect(reason).toMatch(/envFile/);
  });

  it('checks the arguments of calls where it is told to', async () => {
    await using office = new RunningCli(['server', '--port', '0']);
    const { url } = await office.event('listening');
    const env = { A2C_SERVER: String(url), A2C_OFFICE: 'o' };
    save(JSON.stringify({ servers: { demo: server({ default_tool_meta: { auto_apply: true } }) } }));
    const flags = ['--name', 'laptop', '--validate-arguments', '--root', folder];
    await using computer = new RunningCli(['computer', 'run', file, ...flags], { env });
    await computer.line((line) => line['server'] === 'demo' && line['state'] === 'running');
    await computer.event('joined');
    const { code, stdout } = await runCli(['agent', 'call', 'laptop', 'echo', '{"text":1}'], { env });
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('- text: must be string') as string,
    });
  });
});
