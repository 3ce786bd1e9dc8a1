import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCompatible, parseVersion, PROTOCOL_VERSION, supportedRange, type ProtocolVersion } from './index.js';

interface Case {
  readonly client: string | null;
  readonly server: string;
  readonly query: string;
  readonly result: 'accept' | 400 | 4008;
}

const file = join(import.meta.dirname, '../../test-vectors/version.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
  cases: Case[];
  body4008: { server: string; body: { min_supported: string; max_supported: string } };
};

const read = (text: string): ProtocolVersion => {
  const version = parseVersion(text);
  if (version === undefined) throw new Error(`${text} is not a version`);
  return version;
};

function judge(given: string[], server: string): Case['result'] {
  const client = given.length === 1 ? parseVersion(given[0] ?? '') : undefined;
  if (client === undefined) return 400;
  return isCompatible(client, read(server)) ? 'accept' : 4008;
}

const part = fc.nat({ max: 999_999_999 });

describe('protocol versions', () => {
  it('are 0.2.0 here', () => {
    expect(PROTOCOL_VERSION).toBe('0.2.0');
  });

  it.each(vectors.cases)('[R-2.1-rules] vector: "$query" at a Server of $server is $result', (vector) => {
    const given = new URLSearchParams(vector.query).getAll('a2c_version');
    expect(judge(given, vector.server)).toBe(vector.result);
  });

  it('[R-2.1-rules] are compatible as the table says, whatever the PATCH', () => {
    const version = fc.record({ major: fc.nat({ max: 3 }), minor: fc.nat({ max: 3 }), patch: part });
    fc.assert(
      fc.property(version, version, (client, server) => {
        const fits = server.major === 0 ? client.minor === server.minor : client.minor <= server.minor;
        expect(isCompatible(client, server)).toBe(client.major === server.major && fits);
      }),
    );
  });

  it('are read exactly, and nothing else is', () => {
    fc.assert(
      fc.property(part, part, part, (major, minor, patch) => {
        const text = `${major}.${minor}.${patch}`;
        expect(parseVersion(text)).toEqual({ major, minor, patch });
        for (const wrong of [`0${text}`, `${text}\n`, ` ${text}`, `${text}.0`, `+${text}`, `${text}-rc1`]) {
          expect(parseVersion(wrong)).toBeUndefined();
        }
      }),
    );
    for (const wrong of ['', '1', '1.2', '1..2', '1.2.', '１.2.3', '0.2.1000000000', '0x0.2.0', '1e1.0.0']) {
      expect(parseVersion(wrong)).toBeUndefined();
    }
  });

  it('[R-5.3-body] give the range of the 4008 body', () => {
    const { server, body } = vectors.body4008;
    expect(supportedRange(read(server))).toEqual({ min: body.min_supported, max: body.max_supported });
    expect(supportedRange(read('2.5.1'))).toEqual({ min: '2.0.0', max: '2.5.999' });
  });
});
