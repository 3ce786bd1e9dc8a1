import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepApproval } from '../../src/cli/computer-shell/keep-approval.js';
import { LiveStatus } from '../../src/cli/computer-shell/live-status.js';
import { officeServer, nextEvent } from '../fixtures/computer/office.js';
import { processesWith, uniqueSeconds } from '../support/processes.js';
import { OwnerShell, QUIET } from './shell-fixtures.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-shell-acts-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

describe('the shell of a Computer whose Agent is at work', () => {
  let shell: OwnerShell;
  let configs: string[];
  beforeEach(async () => {
    configs = [
      await file('base.json', { servers: { work: officeServer({}, { default_tool_meta: {} }) } }),
      await file('more.json', { inputs: [{ id: 'a', type: 'promptString' }] }),
    ];
    shell = await OwnerShell.open(
      { ...QUIET, servers: { work: officeServer() } },
      { files: configs, suspend: (use) => use() },
    );
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await shell[Symbol.asyncDispose]();
  });

  it('shows and stops a call that runs; the Agent is told that the owner did', async () => {
    const started = nextEvent(shell.computer, 'toolStarted');
    const answer = shell.office.call('hang');
    await started;
    expect(await shell.type('calls')).toMatch(/agent-1 +hang +running +0 s/);
    expect(shell.shell.complete('stop calls ')[0]).toHaveLength(1);
    expect(await shell.type('stop calls')).toBe('stopped: 1\n');
    expect(JSON.stringify(await answer)).toMatch(/stopped/);
  });

  it('cancels its own call at Ctrl-C', async () => {
    const started = nextEvent(shell.computer, 'toolStarted');
    const line = shell.begin('tc hang');
    await started;
    line.interrupt();
    await line.ended;
    expect(await shell.shows('cancelled')).toBe('cancelled\n');
    expect(shell.computer.runningCalls()).toEqual([]);
    expect(await shell.type('history 1')).toMatch(/hang +cancelled/);
  });

  it('shows the progress of its own call', async () => {
    expect(await shell.type('tc progress')).toMatch(/^50 %\ndone\nok in/);
  });

  it('follows what a server writes until Ctrl-C', async () => {
    const line = shell.begin('logs work --follow');
    await vi.waitFor(async () => {
      await shell.office.call('say', { stderr: 'a line for the log\n' });
      await shell.shows('a line for the log');
    });
    line.interrupt();
    await line.ended;
  });

  it('says after a timeout how to give more time', async () => {
    const screen = await shell.type('tc --timeout 1 hang');
    expect(screen).toMatch(
      /"work" did not answer within 1 s; logs work shows what it does, tc --timeout 5 hang … gives/,
    );
  });

  it('keeps "always" in the file that has the server, and in the Computer', async () => {
    await keepApproval(shell.computer, configs, { server: 'work', tool: 'hang' });
    expect(JSON.parse(await readFile(configs[0] ?? '', 'utf8'))).toMatchObject({
      servers: { work: { tool_meta: { hang: { auto_apply: true } } } },
    });
    expect(shell.computer.tool('hang')?.meta).toMatchObject({ auto_apply: true });
    const unknown = keepApproval(shell.computer, [configs[1] ?? ''], { server: 'work', tool: 'hang' });
    await expect(unknown).rejects.toThrow('"work" is in no configuration file; save FILE writes one');
  });

  it('takes what comes out of the editor', async () => {
    const editor = join(folder, 'an editor.sh');
    await writeFile(editor, `#!/bin/sh\nsed -i 's/"disabled": false,*//; s/^{/{ "disabled": true,/' "$1"\n`);
    await chmod(editor, 0o700);
    vi.stubEnv('VISUAL', `'${editor}'`);
    expect(await shell.type('server edit work')).toBe('work: changed; save keeps it in the configuration\n');
    expect(shell.computer.servers()[0]?.state).toBe('disabled');
  });

  it.each([
    ['true', 'nothing was changed'],
    ['false', 'the editor "false" ended with 1; nothing was changed'],
    [`sh -c 'echo [ > "$0"'`, 'CONFIG: not valid JSON at line'],
  ])('changes nothing when the editor is %j', async (editor, sentence) => {
    vi.stubEnv('VISUAL', editor);
    expect(await shell.type('server edit work')).toContain(sentence);
    expect(shell.computer.servers()[0]?.state).toBe('running');
  });

  it('ends the editor with the command, and leaves nothing of what was edited', async () => {
    const editor = join(folder, 'waiting.sh');
    const started = join(folder, 'started');
    const seconds = uniqueSeconds();
    await writeFile(
      editor,
      `#!/bin/sh\necho "$1" > '${started}.part' && mv '${started}.part' '${started}'\nexec sleep ${seconds}\n`,
    );
    await chmod(editor, 0o700);
    vi.stubEnv('VISUAL', `'${editor}'`);
    const line = shell.begin('server edit work');
    await expect.poll(() => existsSync(started)).toBe(true);
    const edited = (await readFile(started, 'utf8')).trim();
    expect(existsSync(edited)).toBe(true);
    line.interrupt();
    await line.ended;
    expect(existsSync(dirname(edited))).toBe(false);
    await expect.poll(() => processesWith(`sleep ${seconds}`)).toEqual([]);
  });

  it('lists documents, who has them, and that Agents get none without a resolver', async () => {
    const resources = [
      { uri: 'dpe://com.example/report', name: 'Annual report', mimeType: 'application/json' },
      { uri: 'window://com.example/list', name: 'A window' },
    ];
    await shell.computer.addServer('docs', officeServer({ only: [], resources }));
    await vi.waitFor(async () => {
      expect(await shell.type('documents')).toMatch(
        /^Agents get no documents: start with --documents.*\nDOCUMENT .*\ndpe:\/\/com.example\/report +docs +application\/json +Annual report\n$/,
      );
    });
    expect(await shell.type('status')).toMatch(/documents +Agents get none/);
    expect(await shell.type('documents nothing')).toContain('no document has "nothing" in it');
    expect(await shell.value('documents annual')).toMatchObject({
      resolver: false,
      documents: [{ server: 'docs', uri: 'dpe://com.example/report' }],
    });
  });

  it('offers names with Tab', () => {
    expect(shell.shell.complete('start ')[0]).toEqual(['work', 'all']);
    expect(shell.shell.complete('tc ha')[0]).toEqual(['hang ']);
    expect(shell.shell.complete('help inputs v')[0]).toEqual([]);
    expect(shell.shell.complete('inputs value ')[0]).toEqual(['clear', 'get', 'list', 'remove', 'rm', 'set']);
  });

  it('draws which servers start and which calls run, and nothing when none does', async () => {
    const drawn: (readonly string[])[] = [];
    const status = new LiveStatus(shell.computer, { setStatus: (lines) => drawn.push(lines) }, () => 40);
    const answer = shell.office.call('hang');
    await vi.waitFor(() => {
      expect(drawn.at(-1)?.[0]).toMatch(/^. agent-1 → hang: \d s$/);
    });
    shell.computer.stopCalls();
    await answer;
    await vi.waitFor(() => {
      expect(drawn.at(-1)).toEqual([]);
    });
    status[Symbol.dispose]();
  });
});
