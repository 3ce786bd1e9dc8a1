import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConfigError } from './config-error.js';
import type { ComputerConfig } from './parse-config.js';
import { ConfigWatcher, type ConfigWatcherOptions } from './watch-config.js';

const one = (command: string): string => JSON.stringify({ servers: { a: { command } } });
const commandOf = (config: ComputerConfig | undefined): unknown => {
  const config_ = config?.servers.get('a')?.config;
  return config_?.server_parameters['command' as never];
};

let folder: string;
let file: string;

/** As editors do it: nobody ever sees half of it. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-watch-'));
  file = join(folder, 'mcp.json');
  await writeFile(file, one('first'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A watcher that runs, and what it tells. */
class Watched implements AsyncDisposable {
  readonly watcher: ConfigWatcher;
  readonly changes: unknown[] = [];
  readonly problems: string[] = [];
  readonly #told = new EventEmitter();

  private constructor(files: readonly string[], options: ConfigWatcherOptions) {
    this.watcher = new ConfigWatcher(files, { quietMs: 20, ...options });
    this.watcher.on('changed', (config) => {
      this.changes.push(commandOf(config));
      this.#told.emit('changed');
    });
    this.watcher.on('problem', (error: ConfigError) => {
      this.problems.push(error.message);
      this.#told.emit('problem');
    });
    this.watcher.on('checked', () => this.#told.emit('checked'));
  }

  static async of(files: readonly string[], options: ConfigWatcherOptions = {}): Promise<Watched> {
    const watched = new Watched(files, options);
    await watched.watcher.start();
    return watched;
  }

  /** Acts, and waits for what is told then. */
  async after(event: 'changed' | 'problem' | 'checked', act: () => Promise<unknown>): Promise<void> {
    const told = once(this.#told, event);
    await act();
    await told;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.watcher.close();
  }
}

describe('ConfigWatcher', () => {
  it('gives the configuration at the start, and the new one when a file is written', async () => {
    await using watched = await Watched.of([file]);
    expect(commandOf(watched.watcher.config)).toBe('first');
    await watched.after('changed', () => writeFile(file, one('second')));
    expect(watched.changes).toEqual(['second']);
    expect(commandOf(watched.watcher.config)).toBe('second');
  });

  it('notices a file that is renamed into place, each time [F-H-rename]', async () => {
    await using watched = await Watched.of([file]);
    for (const command of ['second', 'third']) {
      await watched.after('changed', async () => {
        await writeFile(join(folder, 'mcp.json.tmp'), one(command));
        await rename(file, `${file}~`);
        await rename(join(folder, 'mcp.json.tmp'), file);
      });
    }
    expect(watched.changes).toEqual(['second', 'third']);
    expect(watched.problems).toEqual([]);
  });

  it('keeps the last good configuration while the file is gone, says so once, and takes the next one', async () => {
    await using watched = await Watched.of([file]);
    await watched.after('problem', () => unlink(file));
    await watched.watcher.reload();
    expect(watched.problems).toEqual([`${file}: there is no such file`]);
    expect(commandOf(watched.watcher.config)).toBe('first');
    await watched.after('changed', () => writeFile(file, one('second')));
    expect(watched.changes).toEqual(['second']);
  });

  it('keeps the last good configuration while the file is broken, and says each fault once [F-H-last-good]', async () => {
    await using watched = await Watched.of([file]);
    await watched.after('problem', () => replace(file, '{"servers": '));
    await watched.after('checked', () => replace(file, '{"servers": '));
    await watched.after('problem', () => replace(file, '{"servers": {"a": {"command": 7}}}'));
    expect(watched.problems).toHaveLength(2);
    expect(watched.problems[0]).toContain('not valid JSON at line 1');
    expect(watched.problems[1]).toContain('servers.a.command: expected a string, got a number');
    expect(watched.changes).toEqual([]);
    expect(commandOf(watched.watcher.config)).toBe('first');
    await watched.after('changed', () => replace(file, one('mended')));
    await watched.after('problem', () => replace(file, '{"servers": '));
    expect(watched.problems).toHaveLength(3);
    expect(watched.changes).toEqual(['mended']);
  });

  it('tells nothing when a broken file is mended to what it was', async () => {
    await using watched = await Watched.of([file]);
    await watched.after('problem', () => replace(file, 'no'));
    await watched.after('checked', () => replace(file, one('first')));
    expect(watched.changes).toEqual([]);
  });

  it('says nothing of a file that is only half written', async () => {
    await using watched = await Watched.of([file], { quietMs: 100 });
    await watched.after('checked', () => writeFile(file, ''));
    await watched.after('changed', () => writeFile(file, one('second')));
    await watched.watcher.reload();
    expect(watched.problems).toEqual([]);
    expect(watched.changes).toEqual(['second']);
  });

  it('makes one change of a burst of writes [F-H-burst]', async () => {
    await using watched = await Watched.of([file], { quietMs: 200 });
    await watched.after('changed', async () => {
      for (let index = 0; index < 50; index += 1) await writeFile(file, one(`command-${index}`));
    });
    await watched.watcher.reload();
    expect(watched.changes).toEqual(['command-49']);
  });

  it.each([
    ['blanks and comments', '// a comment\n{ "servers": { "a": { "command": "first", }, }, }\n'],
    ['the order of fields', '{"servers":{"a":{"args":[],"type":"stdio","command":"first"}},"inputs":[]}'],
    ['a byte-order mark', `\uFEFF${one('first')}`],
    ['nothing', one('first')],
  ])('tells nothing of an edit of %s [F-H-by-meaning]', async (_what, text) => {
    await using watched = await Watched.of([file]);
    await watched.after('checked', () => replace(file, text));
    expect(watched.changes).toEqual([]);
    expect(watched.problems).toEqual([]);
  });

  it('tells of other roots of a server', async () => {
    await using watched = await Watched.of([file]);
    const text = JSON.stringify({ servers: { a: { command: 'first', roots: ['src'] } } });
    await watched.after('changed', () => writeFile(file, text));
    expect(watched.watcher.config?.servers.get('a')?.roots).toHaveLength(1);
  });

  it('tells of another order of servers, which decides conflicts', async () => {
    await writeFile(file, '{"servers":{"a":{"command":"x"},"b":{"command":"x"}}}');
    await using watched = await Watched.of([file]);
    await watched.after('changed', () => writeFile(file, '{"servers":{"b":{"command":"x"},"a":{"command":"x"}}}'));
    expect([...(watched.watcher.config?.servers.keys() ?? [])]).toEqual(['b', 'a']);
  });

  it('does not read the files for what happens beside them [F-H-burst]', async () => {
    let checks = 0;
    await using watched = await Watched.of([file]);
    watched.watcher.on('checked', () => (checks += 1));
    for (const name of ['mcp.json~', '.mcp.json.swp', '4913', 'mcp.json.bak', 'other.json']) {
      await writeFile(join(folder, name), one('wrong'));
    }
    // Events come in order: what is beside the file was told before this.
    await watched.after('changed', () => writeFile(file, one('second')));
    expect(watched.changes).toEqual(['second']);
    expect(checks).toBeLessThanOrEqual(1);
  });

  it('merges several files, and one that is broken does not hold the others up', async () => {
    const other = join(folder, 'sub', 'other.json');
    await mkdir(join(folder, 'sub'));
    await writeFile(other, '{"servers":{"b":{"command":"x"}}}');
    await using watched = await Watched.of([file, other]);
    expect([...(watched.watcher.config?.servers.keys() ?? [])]).toEqual(['a', 'b']);
    await watched.after('problem', () => replace(other, '{'));
    await watched.after('changed', () => writeFile(file, one('second')));
    expect([...(watched.watcher.config?.servers.keys() ?? [])]).toEqual(['a', 'b']);
    await watched.after('changed', () => writeFile(other, one('from the later file')));
    expect(watched.changes).toEqual(['second', 'from the later file']);
    expect(watched.problems).toHaveLength(1);
  });

  it('says that files do not go together, and keeps what went together last', async () => {
    const other = join(folder, 'other.json');
    const input = (id: string): string => JSON.stringify({ inputs: [{ id, type: 'promptString' }] });
    await writeFile(file, input('a-b'));
    await writeFile(other, input('c'));
    await using watched = await Watched.of([file, other]);
    await watched.after('problem', () => replace(other, input('a_b')));
    expect(watched.problems[0]).toContain('would both read A2C_SMCP_A_B');
    expect([...(watched.watcher.config?.inputs.keys() ?? [])]).toEqual(['a-b', 'c']);
  });

  it('finds the file again when its folder was removed and made again', async () => {
    const inner = join(folder, 'one', 'two');
    const deep = join(inner, 'mcp.json');
    await mkdir(inner, { recursive: true });
    await writeFile(deep, one('first'));
    await using watched = await Watched.of([deep]);
    await watched.after('problem', () => rm(join(folder, 'one'), { recursive: true }));
    await watched.after('changed', async () => {
      await mkdir(inner, { recursive: true });
      await writeFile(deep, one('second'));
    });
    await watched.after('changed', () => writeFile(deep, one('third')));
    expect(watched.changes).toEqual(['second', 'third']);
    expect(watched.problems).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')('follows links, also when the link is led elsewhere', async () => {
    for (const version of ['v1', 'v2']) {
      await mkdir(join(folder, version));
      await writeFile(join(folder, version, 'real.json'), one(version));
    }
    const link = join(folder, 'link.json');
    await symlink('v1', join(folder, '..data'));
    await symlink(join('..data', 'real.json'), link);
    await using watched = await Watched.of([link]);
    await watched.after('changed', () => writeFile(join(folder, 'v1', 'real.json'), one('edited')));
    await watched.after('changed', async () => {
      await symlink('v2', join(folder, 'tmp'));
      await rename(join(folder, 'tmp'), join(folder, '..data'));
    });
    expect(watched.changes).toEqual(['edited', 'v2']);
  });

  it('refuses to start without a configuration that can be used, and is closed then', async () => {
    await writeFile(file, '{"servers":{"a":{"comand":"x"}}}');
    const watcher = new ConfigWatcher([file]);
    await expect(watcher.start()).rejects.toThrow('did you mean "command" by "comand"?');
    await expect(watcher.start()).rejects.toThrow('closed');
    await expect(new ConfigWatcher([join(folder, 'none.json')]).start()).rejects.toThrow('there is no such file');
  });

  it('watches nothing when there are no files', async () => {
    await using watched = await Watched.of([]);
    await watched.watcher.reload();
    expect(watched.watcher.config?.servers.size).toBe(0);
  });

  it('tells nothing after its end, which can come at any time and more than once', async () => {
    const watched = await Watched.of([file]);
    await writeFile(file, one('second'));
    const reloading = watched.watcher.reload();
    await Promise.all([watched.watcher.close(), watched.watcher.close(), reloading]);
    await writeFile(file, one('third'));
    await watched.watcher.reload();
    await watched.watcher.close();
    expect(watched.changes).toEqual([]);
  });

  it('goes on when a listener throws', async () => {
    await using watched = await Watched.of([file]);
    watched.watcher.on('changed', () => {
      throw new Error('mine');
    });
    await watched.after('changed', () => writeFile(file, one('second')));
    await watched.after('changed', () => writeFile(file, one('third')));
    expect(watched.changes).toEqual(['second', 'third']);
  });
});
