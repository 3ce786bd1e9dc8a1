import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDocuments } from './documents-flag.js';

describe('--documents s3', () => {
  beforeEach(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'canary-key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'canary-secret');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const open = async (documents: string): Promise<void> => {
    await using resolver = await openDocuments({ documents });
    expect(resolver).not.toBeNull();
  };

  it.each([
    's3:docs?region=eu-central-1',
    's3:docs/agents/documents/?region=eu-central-1&path-style=false',
    's3:docs?endpoint=http://127.0.0.1:9000',
    's3:docs/?endpoint=http%3A%2F%2F127.0.0.1%3A9000&path-style',
  ])('takes %s, with keys from the environment', open);

  it.each([
    ['s3', 'expected s3:BUCKET'],
    ['s3:', 'expected s3:BUCKET'],
    ['s3:?region=x', 'bucket: expected 3 to 63'],
    ['s3:Bucket?region=x', 'bucket: expected 3 to 63'],
    ['s3:docs/../x?region=x', 'prefix: expected'],
    ['s3:docs?region=', 'region: expected'],
    ['s3:docs', 'there is no region'],
    ['s3:docs?endpoint=127.0.0.1:9000', 'endpoint: expected an http: or https: address'],
    ['s3:docs?endpoint=http://canary-key:canary-secret@127.0.0.1', 'endpoint: expected an http: or https: address'],
    ['s3:docs?path-style=perhaps', 'path-style: expected nothing, true or false'],
    ['s3:docs?region=a&region=b', 'region is given twice'],
    ['s3:docs?secret=canary-secret', 'expected region, endpoint, path-style, got "secret"'],
  ])('refuses %s with a sentence', async (value, sentence) => {
    const error = await open(value).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(sentence) as string });
    expect((error as Error).message).toContain('--documents');
    expect((error as Error).message).not.toContain('canary');
  });

  it('says at the start that there are no keys', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
    await expect(open('s3:docs?region=eu-central-1')).rejects.toThrow('set AWS_ACCESS_KEY_ID');
  });
});
