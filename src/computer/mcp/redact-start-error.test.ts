import { describe, expect, it } from 'vitest';
import { ServerStartError } from './mcp-errors.js';
import { redactStartError } from './redact-start-error.js';

const redact = (text: string): string => text.replaceAll('s3cret', '***');

describe('redactStartError', () => {
  it('takes secrets out of every text of a failed start, and leaves its cause behind', () => {
    const ending = { reason: 'it said s3cret', exitCode: 3, stderrTail: 'the s3cret' };
    const error = new ServerStartError('exited', 'no s3cret', { ending, cause: new Error('s3cret') });
    const shown = redactStartError(error, redact) as ServerStartError;
    expect(shown).toBeInstanceOf(ServerStartError);
    expect(shown).toMatchObject({ failure: 'exited', message: 'no ***' });
    expect(shown.ending).toEqual({ reason: 'it said ***', exitCode: 3, stderrTail: 'the ***' });
    expect(shown.cause).toBeUndefined();
    expect(shown.stack).not.toContain('s3cret');
  });

  it('bears a start without an ending, and gives other errors as they are', () => {
    expect(redactStartError(new ServerStartError('timeout', 'late'), redact)).toMatchObject({ ending: undefined });
    const other = new TypeError('s3cret');
    expect(redactStartError(other, redact)).toBe(other);
  });
});
