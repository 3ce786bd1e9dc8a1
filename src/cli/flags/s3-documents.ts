import type { NetworkOptions } from '../../client/index.js';
import type { S3DpeResolver, S3DpeResolverOptions } from '../../computer/index.js';
import { UsageError } from '../failure.js';
import { checked } from '../to-usage.js';

/** How a bucket is written. */
export const S3_FORM = 's3:BUCKET[/PREFIX][?region=REGION&endpoint=URL&path-style]';

type Settings = Omit<S3DpeResolverOptions, 'bucket' | 'prefix'>;

const PARAMETERS: Readonly<Record<string, (value: string) => Settings>> = {
  region: (region) => ({ region }),
  endpoint: (endpoint) => ({ endpoint }),
  'path-style': (value) => ({ forcePathStyle: isOn(value) }),
};

/**
 * Makes the resolver for a bucket. Keys are in none of it: they come from the environment, or where else the AWS SDK
 * looks.
 *
 * @param place - the form without `s3:`.
 * @param network - `proxy` and `ca`; what else there is does not concern a store.
 * @throws UsageError when the place is none, or when the AWS SDK, a region or credentials are missing.
 */
export async function openS3Documents(
  place: string | undefined,
  { proxy, ca }: Pick<NetworkOptions, 'proxy' | 'ca'> = {},
): Promise<S3DpeResolver> {
  if (place === undefined) throw new UsageError(`expected ${S3_FORM}`);
  const network = { ...(proxy === undefined ? {} : { proxy }), ...(ca === undefined ? {} : { ca }) };
  const options = { ...readPlace(place), ...network };
  const { S3DpeResolver } = await import('../../computer/index.js');
  const resolver = checked(() => new S3DpeResolver(options));
  try {
    await resolver.prepare();
    return resolver;
  } catch (error) {
    await resolver.close();
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError */
function readPlace(place: string): S3DpeResolverOptions {
  const [path, query = ''] = split(place, '?');
  const [bucket, prefix] = split(path, '/');
  let settings: Settings = {};
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const read = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (read === undefined) throw new UsageError(`expected ${Object.keys(PARAMETERS).join(', ')}, got "${name}"`);
    if (seen.has(name)) throw new UsageError(`${name} is given twice`);
    seen.add(name);
    settings = { ...settings, ...read(value) };
  }
  return { bucket, ...(prefix === undefined || prefix === '' ? {} : { prefix }), ...settings };
}

function split(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function isOn(value: string): boolean {
  if (value === '' || value === 'true') return true;
  if (value === 'false') return false;
  throw new UsageError('path-style: expected nothing, true or false');
}
