import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoSteps } from '../../src/cli/demo/demo-steps.js';
import { runCli, RunningCli } from '../support/cli.js';

const root = join(import.meta.dirname, '..', '..');

interface StepLine {
  readonly step: string;
  readonly ok: boolean;
  readonly ms: number;
}

function stepLines(stdout: string): StepLine[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StepLine);
}

/** Command lines of running processes that name a text. */
function processesNaming(text: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      } catch {
        // It ended while we looked.
        return [];
      }
    })
    .filter((line) => line.includes(text));
}

describe('a2c demo', () => {
  it('shows every step on real MCP servers, and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await runCli(['demo', '--json']);
    expect(stderr).not.toContain('error');
    expect(stepLines(stdout).map(({ step, ok }) => ({ step, ok }))).toEqual(
      demoSteps().map(({ step }) => ({ step, ok: true })),
    );
    expect(code).toBe(0);
  });

  it('tells a newcomer what happens', async () => {
    const { code, stdout } = await runCli(['demo']);
    expect(code).toBe(0);
    for (const { title } of demoSteps()) expect(stdout).toContain(`✔ ${title}`);
    expect(stdout).toContain('echo → hello from the Agent');
  });

  it('stops in the middle when interrupted, with exit 130', async () => {
    await using demo = new RunningCli(['demo']);
    await demo.line(({ step }) => step === 'server');
    expect(await demo.stop('SIGINT')).toBe(130);
  });
});

describe('the package as it is published', () => {
  const home = mkdtempSync(join(tmpdir(), 'a2c-package-'));
  const installed = join(home, 'node_modules', 'a2c-smcp');

  beforeAll(() => {
    const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', home], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(home, packed), '-C', installed, '--strip-components', '1']);
    // What `npm install` would bring: the dependencies, and none of the packages that only development needs.
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(dependencies)) {
      const link = join(home, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), link);
    }
  });

  afterAll(() => {
    rmSync(home, { recursive: true });
  });

  it('holds what it needs and nothing else', () => {
    expect(readdirSync(installed).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
      'schemas',
    ]);
    expect(
      readdirSync(join(installed, 'dist'), { recursive: true }).filter((file) => String(file).includes('.test.')),
    ).toEqual([]);
  });

  it.each(['.', './agent', './computer', './server', './mcp-server'])('exports %s', (subpath) => {
    const specifier = join('a2c-smcp', subpath);
    const script = `import(${JSON.stringify(specifier)}).then((m) => console.log(Object.keys(m).length > 0))`;
    expect(execFileSync(process.execPath, ['-e', script], { cwd: home, encoding: 'utf8' })).toBe('true\n');
  });

  it('demonstrates with the bundled MCP server alone, says so, and leaves no process behind', () => {
    const demo = execFileSync(process.execPath, [join(installed, 'dist/cli/main.js'), 'demo'], { encoding: 'utf8' });
    expect(demo).toContain('@modelcontextprotocol/server-everything is not installed here');
    expect(demo).toContain('echo → hello from the Agent');
    if (existsSync('/proc')) expect(processesNaming(home)).toEqual([]);
  });
});
