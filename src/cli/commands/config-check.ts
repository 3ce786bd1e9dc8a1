import { stat } from 'node:fs/promises';
import type { ComputerConfig, ConfigExplanation, ConfigWarning } from '../../computer/index.js';
import type { Invocation } from '../command.js';
import { describeFailure, excerptOf } from '../describe-failure.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { printConfigExplanation } from './config-explanation.js';
import type { CONFIG_CHECK_FLAGS } from '../flags/setup-flags.js';

/** `a2c config check` */
export async function runConfigCheck(invocation: Invocation<typeof CONFIG_CHECK_FLAGS>): Promise<ExitCode> {
  const { args, flags, terminal } = invocation;
  const files = args.filter((file) => file !== undefined);
  const checked = await check(files, invocation);
  if (checked === undefined) return EXIT_CODES.usage;
  const { explanation, errors } = checked;
  if (flags.json) terminal.json({ ok: errors.length === 0, files, ...explanation, errors });
  else printConfigExplanation({ files, ...explanation, errors }, terminal);
  return exitCodeOf(checked, flags.strict);
}

interface Checked {
  readonly explanation: ConfigExplanation;
  readonly errors: readonly ConfigWarning[];
}

function exitCodeOf({ explanation, errors }: Checked, strict: boolean): ExitCode {
  if (errors.length > 0) return EXIT_CODES.usage;
  return strict && explanation.warnings.length > 0 ? EXIT_CODES.failed : EXIT_CODES.ok;
}

/** @returns `undefined` when a file cannot be read, which is said. */
async function check(
  files: readonly string[],
  invocation: Invocation<typeof CONFIG_CHECK_FLAGS>,
): Promise<Checked | undefined> {
  const { checkVrlScripts, explainConfig, mergeConfigs, readConfigFiles } = await import('../../computer/index.js');
  const configs: ComputerConfig[] = [];
  let config: ComputerConfig;
  try {
    for (const file of files) configs.push(await readConfigFiles([file]));
    config = mergeConfigs(configs);
  } catch (error) {
    refuse(error, files, invocation);
    return undefined;
  }
  const explanation = explainConfig(config, { env: process.env });
  const open = await openToOthers(files, configs, explanation.warnings);
  const scripts = await checkVrlScripts(config);
  return {
    explanation: { ...explanation, warnings: [...explanation.warnings, ...open] },
    errors: scripts.map(({ server, problem }) => ({ field: `servers.${server}.vrl`, server, problem })),
  };
}

/** A wrong file is the result that was asked for: with `--json` it stands on stdout too. */
function refuse(
  error: unknown,
  files: readonly string[],
  { flags, terminal, logger }: Invocation<typeof CONFIG_CHECK_FLAGS>,
): void {
  if (!(error instanceof Error) || error.name !== 'ConfigError') throw error;
  if (!flags.json) {
    describeFailure(error, { terminal, json: false, logger });
    return;
  }
  const { field, file, position } = error as Error & { field: string; file?: string; position?: object };
  const problem = { file, field, problem: error.message, ...position, excerpt: excerptOf(error) };
  terminal.json({ ok: false, files, servers: [], inputs: [], warnings: [], errors: [problem] });
}

/** Files that hold literal secrets and that others can read. Windows has no such modes. */
async function openToOthers(
  files: readonly string[],
  configs: readonly ComputerConfig[],
  warnings: readonly ConfigWarning[],
): Promise<ConfigWarning[]> {
  if (process.platform === 'win32') return [];
  const { literalSecretsOf } = await import('../../computer/index.js');
  const found: ConfigWarning[] = [];
  for (const [index, file] of files.entries()) {
    const servers = [...(configs[index]?.servers.values() ?? [])];
    const hasSecrets =
      servers.some(({ config }) => literalSecretsOf(config.server_parameters).length > 0) ||
      warnings.some((one) => one.file === file && one.problem.startsWith('the default of the password'));
    const { mode } = await stat(file);
    if (!hasSecrets || (mode & 0o077) === 0) continue;
    const problem = `holds what may be secrets, and others can read it (mode ${(mode & 0o777).toString(8)}); chmod 600 closes it`;
    found.push({ field: '', file, problem });
  }
  return found;
}
