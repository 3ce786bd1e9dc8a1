import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';

/** How to log in at one MCP server, where its configuration says so. */
export interface OAuthSettings {
  /** A client that was registered by hand; absent: this Computer registers itself. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** What to ask for, separated by blanks; absent: what the server says it needs. */
  readonly scope?: string | undefined;
  /** The port of the redirect on this machine; absent: any free one. */
  readonly redirectPort?: number | undefined;
}

/** The fields of `oauth`, with the spellings of other MCP hosts. */
const SPELLINGS: Readonly<Record<string, keyof OAuthSettings>> = {
  client_id: 'clientId',
  clientId: 'clientId',
  client_secret: 'clientSecret',
  clientSecret: 'clientSecret',
  scope: 'scope',
  scopes: 'scope',
  redirect_port: 'redirectPort',
  callbackPort: 'redirectPort',
};

/** The names under which `oauth` takes its fields. */
export const OAUTH_FIELDS: readonly string[] = Object.keys(SPELLINGS);

const text = z.string({ error: 'expected a text' }).min(1, 'expected a text that is not empty');
const FIELDS = {
  clientId: text,
  clientSecret: text,
  scope: z
    .union([text, z.array(text).transform((list) => list.join(' '))], { error: 'expected a text or a list of texts' })
    .optional(),
  redirectPort: z.coerce
    .number({ error: 'expected a port' })
    .int('expected a port')
    .min(1, 'expected a port from 1 to 65535')
    .max(65_535, 'expected a port from 1 to 65535'),
} as const;

/** A field of `oauth` that is wrong. */
export interface WrongOAuth {
  /** Within `oauth`. */
  readonly path: readonly string[];
  readonly problem: string;
}

/**
 * Reads the field `oauth` of a server's parameters.
 *
 * @param skip - says which texts are not to be judged yet, because they hold placeholders.
 * @returns the settings; `false` when a login is not wanted; what is wrong.
 */
export function readOAuth(
  parameters: JsonObject,
  skip: (text: string) => boolean = () => false,
): { readonly settings: OAuthSettings | false } | { readonly wrong: WrongOAuth } {
  const given = parameters['oauth'];
  if (given === undefined || given === null || given === true) return { settings: {} };
  if (given === false) return { settings: false };
  if (!isJsonObject(given)) return { wrong: { path: [], problem: 'expected an object, or false for no login' } };
  return readFields(given, skip);
}

function readFields(given: JsonObject, skip: (text: string) => boolean): ReturnType<typeof readOAuth> {
  const settings: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    const name = Object.hasOwn(SPELLINGS, field) ? SPELLINGS[field] : undefined;
    if (name === undefined || value === null || (typeof value === 'string' && skip(value))) continue;
    const parsed = FIELDS[name].safeParse(value);
    if (!parsed.success) return { wrong: { path: [field], problem: parsed.error.issues[0]?.message ?? 'invalid' } };
    settings[name] = parsed.data;
  }
  return { settings };
}
