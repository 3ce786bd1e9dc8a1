import { describeCode } from '../../client/index.js';

/** What is wrong and how to mend it, by the name that S3 or its SDK gives the failure. */
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist',
  AccessDenied: 'access is denied: the credentials need s3:PutObject and s3:GetObject there',
  InvalidAccessKeyId: 'the access key is not known there',
  SignatureDoesNotMatch: 'the signature does not fit: check the secret key',
  ExpiredToken: 'the credentials have expired',
  InvalidToken: 'the session token is refused',
  PermanentRedirect: 'the bucket is in another region: set "region"',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set "region"',
  RequestTimeTooSkewed: 'the clocks of this machine and the store differ too much',
  EntityTooLarge: 'the document is larger than the store takes',
  SlowDown: 'the store has too much to do',
  ServiceUnavailable: 'the store has too much to do',
  CredentialsProviderError:
    'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another way that the AWS SDK knows',
};

/** Answers that say no more than their status. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [403, REASONS['AccessDenied'] ?? ''],
  [407, 'the proxy wants other credentials'],
]);

/** Network failures, by their code. */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the endpoint',
  ENOTFOUND: 'the host of the endpoint or bucket is not known (does the store want "forcePathStyle"?)',
  ECONNRESET: 'the store ended the connection',
  ETIMEDOUT: 'the store cannot be reached',
  EPROTO: 'the endpoint does not speak TLS: is it an http: address?',
};

/**
 * What failed at the store, in a sentence. Only names and codes are taken from the SDK's error: its message and fields
 * may hold keys, what was signed, and what the store said.
 *
 * @param problem - what it means, such as `The bucket "docs" cannot be used`.
 * @param through - which proxy may be to blame.
 */
export function s3Failure(error: unknown, problem: string, through = ''): Error {
  return new Error(`${problem}: ${reasonFor(error, through === '')}${through}`);
}

/** The HTTP status that the store answered with, if it did. */
export function statusOf(error: unknown): number | undefined {
  const metadata = fieldOf(error, '$metadata');
  const status = fieldOf(metadata, 'httpStatusCode');
  return typeof status === 'number' ? status : undefined;
}

/** @param isDirect - a connection that fails is one with the store, and not with a proxy. */
function reasonFor(error: unknown, isDirect: boolean): string {
  const name = wordOf(fieldOf(error, 'name'));
  const code = wordOf(fieldOf(error, 'code'));
  const known = ownOf(REASONS, name) ?? (isDirect ? ownOf(NETWORK, code) : undefined);
  if (known !== undefined) return known;
  if (error instanceof Error && error.message === 'Region is missing') return 'there is no region: set "region"';
  if (describeCode(code) !== code) return describeCode(code);
  const status = statusOf(error);
  const said = STATUSES.get(status ?? 0);
  if (said !== undefined) return said;
  const words = [name, code].filter((word) => word !== '' && word !== 'Error').join(' ');
  if (status !== undefined) return `the store answered ${String(status)}${words === '' ? '' : ` ${words}`}`;
  return `the request failed${words === '' ? '' : ` (${words})`}`;
}

function ownOf(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A name or code, which the store chooses: nothing but a short word. */
function wordOf(value: unknown): string {
  return typeof value === 'string' && /^[A-Za-z0-9_.]{1,64}$/.test(value) ? value : '';
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
