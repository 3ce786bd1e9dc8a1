import { literalSecretsOf } from '../../../computer/index.js';
import { auditFile, historyFile } from '../../places.js';
import { ok, orElse, skipped, warn, type Check, type Finding } from '../check.js';
import type { DoctorContext } from '../context.js';
import { othersMay } from '../files.js';

/** The configuration files: whether they can be read, and what in them will not do what it seems to. */
export const configurationCheck: Check = {
  id: 'configuration',
  title: 'configuration',
  run: async (context) => {
    const loaded = await context.loaded();
    if (loaded === undefined) return [skipped('no file was named: a2c doctor mcp.json')];
    const { config, servers } = loaded;
    const problems = (config.warnings ?? []).map(({ file, problem }) =>
      warn(
        file === undefined ? problem : `${file}: ${problem}`,
        'the field does nothing as it stands: mend or remove it',
      ),
    );
    const idle = config.servers.size - servers.length;
    const found = `${context.files.join(', ')}: ${counted(servers.length)}${idle === 0 ? '' : `, ${idle} disabled`}`;
    return [...problems, ok(found)];
  },
};

function counted(servers: number): string {
  return `${servers} MCP ${servers === 1 ? 'server' : 'servers'}`;
}

/** Files that hold secrets, and what others may do with them. */
export const permissionsCheck: Check = {
  id: 'permissions',
  title: 'permissions',
  run: async (context) => {
    const { machine } = context;
    if (machine.platform === 'win32') return [skipped('are lists on Windows: look at the properties of the files')];
    const findings: Finding[] = [];
    for (const [file, secret] of await secretFiles(context)) {
      const others = await othersMay(file);
      if (others === undefined) continue;
      const chmod = `chmod ${others.folder ? '700' : '600'} ${file}`;
      if (others.write) findings.push(warn(`${file} can be changed by other users of this machine`, chmod));
      else if (others.read && secret) findings.push(warn(`${file} can be read by other users of this machine`, chmod));
    }
    return orElse(findings, ok('nobody else can read secrets or change the configuration'));
  },
};

/** Each file or folder, and whether it may hold something that nobody else should see. */
async function secretFiles(context: DoctorContext): Promise<readonly (readonly [file: string, secret: boolean])[]> {
  const { flags, machine, files, logins } = context;
  const loaded = await context.loaded().catch(() => undefined);
  const holdsSecrets = loaded?.servers.some((server) => literalSecretsOf(server.server_parameters).length > 0) ?? true;
  const named = [flags.tokenFile, flags.key].filter((file) => file !== undefined);
  const kept = [logins, auditFile(machine), historyFile('computer', machine), historyFile('agent', machine)];
  return [
    ...files.map((file) => [file, holdsSecrets] as const),
    ...[...named, ...kept].map((file) => [file, true] as const),
  ];
}
