import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Agent } from '../../src/agent/index.js';
import { COMPUTER, OFFICE, Office, officeServer } from '../fixtures/computer/office.js';
import { RunningCli } from '../support/cli.js';

const folder = mkdtempSync(join(tmpdir(), 'a2c-desktop-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('The desktop of a Computer, as an Agent follows it', () => {
  it('shows what a window has now as soon as its MCP server says so [R-8.1-updates]', async () => {
    const uri = 'window://a/1';
    await using office = await Office.open({ servers: { a: officeServer({ resources: [{ uri, name: 'w' }] }) } });
    await office.agent.close();
    await using agent = new Agent({ url: office.url });
    await agent.connect();
    await agent.joinOffice(OFFICE);
    const watching = agent.watchDesktop(COMPUTER);
    expect((await watching.next()).value).toEqual([`${uri}\n\ntext of ${uri}`]);
    for (const text of ['one', 'two', 'three']) {
      const next = watching.next();
      await agent.callTool(COMPUTER, 'show', { uri, text });
      expect((await next).value).toEqual([`${uri}\n\n${text}`]);
    }
    const gone = watching.next();
    await office.computer.stopServer('a');
    expect((await gone).value).toEqual([]);
    await watching.return();
  });

  it('is printed again at each change by a2c agent desktop --watch, until it is interrupted', async () => {
    const file = join(folder, 'shown.txt');
    const config = join(folder, 'computer.json');
    writeFileSync(file, 'at first');
    writeFileSync(config, JSON.stringify({ servers: { notes: officeServer({ follow: file }) } }));
    await using server = new RunningCli(['server', '--port', '0']);
    const { url } = await server.event('listening');
    const at = ['--server', String(url), '--office', 'o'];
    await using computer = new RunningCli(['computer', 'run', config, '--name', 'laptop', ...at]);
    await computer.line(({ state }) => state === 'running');
    await computer.event('joined');
    await using agent = new RunningCli(['agent', 'desktop', 'laptop', '--watch', ...at]);
    const shows = (text: string): Promise<unknown> =>
      agent.line(({ desktops }) => JSON.stringify(desktops) === JSON.stringify([`window://office/file\n\n${text}`]));
    await shows('at first');
    writeFileSync(file, 'later');
    await shows('later');
    expect(await agent.stop('SIGINT')).toBe(130);
  });
});
