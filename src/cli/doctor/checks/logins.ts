import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../../../protocol/index.js';
import { ok, orElse, skipped, warn, type Check, type Finding } from '../check.js';

/** The logins at MCP servers that are kept: which have ended. Shows addresses, and nothing that is secret. */
export const loginsCheck: Check = {
  id: 'logins',
  title: 'logins',
  run: async ({ logins, machine }) => {
    const files = (await readdir(logins).catch(() => [])).filter((file) => file.endsWith('.json'));
    const findings = await Promise.all(files.map((file) => judge(join(logins, file), machine.now())));
    return orElse(findings, skipped('there is none'));
  },
};

async function judge(file: string, now: number): Promise<Finding> {
  const login = await readFile(file, 'utf8').then(parse, () => undefined);
  const url = login?.['serverUrl'];
  if (login === undefined || typeof url !== 'string' || !URL.canParse(url)) {
    return warn(`${file} cannot be read`, 'remove it and log in again');
  }
  const { host } = new URL(url);
  const again = 'a2c computer login SERVER CONFIG';
  const tokens = login['tokens'];
  if (!isJsonObject(tokens)) return warn(`that at ${host} has ended`, again);
  const expiresAt = tokens['expiresAt'];
  const isOver = typeof expiresAt === 'number' && expiresAt <= now;
  if (isOver && tokens['refreshToken'] === undefined) return warn(`that at ${host} has expired`, again);
  return ok(`${host}: ${isOver ? 'is renewed when it is needed' : 'good'}`);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
