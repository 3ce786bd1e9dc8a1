import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import type { EndedCall } from '../calls/call-history.js';
import type { Diagnostic } from '../hosting.js';
import { Redactor } from '../redactor.js';
import { AuditLog, type AuditOptions } from './audit-log.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});

function callOf(reqId: string, extra: Partial<EndedCall> = {}, params: JsonObject = {}): EndedCall {
  return {
    request: { agent: 'claimed', req_id: reqId, computer: 'c', tool_name: 'alias', params, timeout: 60 },
    origin: { agent: 'ann', officeId: 'office' },
    route: { server: 's', tool: 'own', meta: undefined, schema: {} },
    server: 's',
    result: { content: [] },
    outcome: 'ok',
    code: undefined,
    startedAt: new Date(1_000),
    durationMs: 12.4,
    ...extra,
  };
}

class World {
  readonly file = join(folder, 'deep', 'audit.jsonl');
  readonly problems: Diagnostic[] = [];
  readonly redactor = new Redactor();
  readonly log: AuditLog;

  constructor(options: Partial<AuditOptions> = {}) {
    const report = (problem: Diagnostic): void => void this.problems.push(problem);
    this.log = new AuditLog({ file: this.file, ...options }, { redactor: this.redactor, report });
  }

  async lines(file = this.file): Promise<JsonObject[]> {
    const text = await readFile(file, 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
  }
}

describe('AuditLog', () => {
  it('writes a line for each call, in order, in a file that only the user can read', async () => {
    const world = new World();
    world.log.add(callOf('r1'));
    world.log.add(callOf('r2', { outcome: 'refused', code: 4002, route: undefined, server: undefined }));
    await world.log.close();
    expect(await world.lines()).toEqual([
      {
        time: '1970-01-01T00:00:01.000Z',
        req_id: 'r1',
        office: 'office',
        agent: 'ann',
        server: 's',
        tool: 'alias',
        original_name: 'own',
        outcome: 'ok',
        duration_ms: 12,
      },
      {
        time: '1970-01-01T00:00:01.000Z',
        req_id: 'r2',
        office: 'office',
        agent: 'ann',
        server: null,
        tool: 'alias',
        outcome: 'refused',
        code: 4002,
        duration_ms: 12,
      },
    ]);
    expect((await stat(world.file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700);
  });

  it('marks the calls of the owner, and those outside an office', async () => {
    const world = new World();
    world.log.add(callOf('mine', { origin: { agent: '(owner)', local: true } }));
    await world.log.close();
    expect(await world.lines()).toMatchObject([{ agent: '(owner)', local: true, office: null }]);
  });

  it('appends to what is there, and takes rights off that others have', async () => {
    const world = new World();
    await mkdir(join(folder, 'deep'));
    await writeFile(world.file, '{"req_id":"old"}\n', { mode: 0o644 });
    world.log.add(callOf('new'));
    await world.log.close();
    expect((await world.lines()).map(({ req_id: id }) => id)).toEqual(['old', 'new']);
    expect((await stat(world.file)).mode & 0o777).toBe(0o600);
  });

  it('notes no arguments unless asked, and then their beginning without secrets', async () => {
    const params = { token: 'canary-secret', text: 'x'.repeat(10_000) };
    const without = new World();
    without.log.add(callOf('r', {}, params));
    await without.log.close();
    expect(await readFile(without.file, 'utf8')).not.toContain('xxx');
    await rm(without.file);

    const world = new World({ arguments: true });
    world.redactor.add('canary-secret');
    world.log.add(callOf('r', {}, params));
    await world.log.close();
    const [line] = await world.lines();
    expect(line?.['arguments']).toMatch(/^\{"token":"\*{6}","text":"x+…$/);
    expect(String(line?.['arguments']).length).toBeLessThan(4_100);
  });

  it('keeps to one line and to the size of a name whatever an Agent calls itself, its call and its tool', async () => {
    const world = new World();
    world.redactor.add('canary-secret');
    const evil = `canary-secret\n{"forged":true}${'x'.repeat(100_000)}`;
    const request = { agent: evil, req_id: evil, computer: 'c', tool_name: evil, params: {}, timeout: 1 };
    world.log.add(callOf('r', { request, origin: { agent: evil } }));
    await world.log.close();
    const text = await readFile(world.file, 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(text.length).toBeLessThan(1_500);
    expect(text).not.toContain('canary');
  });

  it('begins a new file when one is full, and keeps the one before', async () => {
    const world = new World({ maxBytes: 1_000 });
    for (let index = 0; index < 20; index += 1) {
      world.log.add(callOf(`r${index}`));
      // Each in a write of its own.
      await expect.poll(() => readFile(world.file, 'utf8').catch(() => ''), { interval: 2 }).toContain(`"r${index}"`);
    }
    await world.log.close();
    const [now, before] = [await world.lines(), await world.lines(`${world.file}.1`)];
    expect((await stat(world.file)).size).toBeLessThanOrEqual(1_000);
    expect((await stat(`${world.file}.1`)).size).toBeLessThanOrEqual(1_000);
    const ids = [...before, ...now].map(({ req_id: id }) => id);
    expect(ids.at(-1)).toBe('r19');
    const first = Number(String(ids[0]).slice(1));
    expect(ids).toEqual(Array.from({ length: 20 - first }, (_, index) => `r${first + index}`));
  });

  it('goes on in a new file when somebody moved it away', async () => {
    const world = new World();
    world.log.add(callOf('one'));
    await expect
      .poll(() =>
        stat(world.file).then(
          ({ size }) => size > 0,
          () => false,
        ),
      )
      .toBe(true);
    await rm(world.file);
    world.log.add(callOf('two'));
    await world.log.close();
    expect((await world.lines()).map(({ req_id: id }) => id)).toEqual(['two']);
  });

  it('tells once of a file that cannot be written, and writes what waited when it can be', async () => {
    const world = new World();
    await writeFile(join(folder, 'deep'), 'in the way');
    world.log.add(callOf('one'));
    await expect.poll(() => world.problems.length).toBe(1);
    expect(world.problems[0]).toMatchObject({ item: world.file });
    expect(world.problems[0]?.problem).toMatch(/audit file cannot be written; calls go on/);
    world.log.add(callOf('two'));
    await rm(join(folder, 'deep'));
    world.log.add(callOf('three'));
    await world.log.close();
    expect((await world.lines()).map(({ req_id: id }) => id)).toEqual(['one', 'two', 'three']);
    expect(world.problems).toHaveLength(1);
  });

  it('tells before the first call of a file that cannot be written, and leaves one alone that can', async () => {
    const blocked = new World({ file: folder });
    blocked.log.check();
    await blocked.log.close();
    expect(blocked.problems).toMatchObject([
      { item: folder, problem: expect.stringContaining('cannot be written') as string },
    ]);
    const fine = new World();
    fine.log.check();
    fine.log.add(callOf('r1'));
    await fine.log.close();
    expect(fine.problems).toEqual([]);
    expect(await fine.lines()).toMatchObject([{ req_id: 'r1' }]);
  });

  it('loses what does not fit into memory, and says how much', async () => {
    const world = new World({ arguments: true });
    await writeFile(join(folder, 'deep'), 'in the way');
    const params = { text: 'x'.repeat(3_900) };
    for (let index = 0; index < 500; index += 1) world.log.add(callOf(`r${index}`, {}, params));
    await expect.poll(() => world.problems.length).toBe(1);
    await rm(join(folder, 'deep'));
    await world.log.close();
    const lines = await world.lines();
    const gap = lines.at(-1);
    expect(gap).toMatchObject({ outcome: 'lost' });
    expect(lines.length - 1 + Number(gap?.['calls'])).toBe(500);
    expect(lines.length).toBeGreaterThan(200);
  });

  it.skipIf(process.platform === 'win32')('never waits for the reader of a pipe', async () => {
    const file = join(folder, 'pipe');
    execFileSync('mkfifo', [file]);
    const world = new World({ file });
    world.log.add(callOf('one'));
    await world.log.close();
    expect(world.problems).toHaveLength(1);
  });

  it('closes although nothing can be written, and takes nothing more', async () => {
    const world = new World();
    await writeFile(join(folder, 'deep'), 'in the way');
    world.log.add(callOf('one'));
    await world.log.close();
    await rm(join(folder, 'deep'));
    world.log.add(callOf('late'));
    await world.log.close();
    await world.log.close();
    expect(world.problems).toHaveLength(1);
    // What waited at the first close was tried again at the second.
    expect((await world.lines()).map(({ req_id: id }) => id)).toEqual(['one']);
  });

  it.each<[AuditOptions, string]>([
    [{ file: ' ' }, 'audit.file'],
    [{ file: 7 as unknown as string }, 'audit.file'],
    [{ file: 'a', maxBytes: 0 }, 'audit.maxBytes'],
    [{ file: 'a', maxBytes: 1.5 }, 'audit.maxBytes'],
  ])('refuses %j, naming the option', (options, field) => {
    expect(() => new World(options)).toThrow(field);
  });
});
