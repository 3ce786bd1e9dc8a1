const PREFIX = 'A2C_SMCP_';

function asWritten(id: string): string {
  return PREFIX + id.replace(/[^A-Za-z0-9_]/g, '_');
}

/** The environment variable of an input: characters outside `[A-Za-z0-9_]` become `_`, in upper case. Protocol §7.2. */
export function environmentName(id: string): string {
  return asWritten(id).toUpperCase();
}

/**
 * Reads an input from the environment: the upper-case name first, then the id's own case, which some peers use.
 *
 * @returns `undefined` when neither variable is set.
 */
export function readFromEnvironment(id: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  return [environmentName(id), asWritten(id)].map((name) => ownValue(env, name)).find((value) => value !== undefined);
}

function ownValue(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
