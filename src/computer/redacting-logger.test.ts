import { describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../protocol/index.js';
import { redactingLogger } from './redacting-logger.js';
import { MASK, Redactor } from './redactor.js';

describe('redactingLogger', () => {
  const redactor = new Redactor();
  redactor.add('hunter2x');

  it('takes secrets out of fields and messages at every level', () => {
    const warn = vi.fn();
    const logger = redactingLogger({ ...silentLogger, warn }, redactor);
    logger.warn({ a: { b: ['hunter2x'] }, err: new Error('no hunter2x') }, 'at hunter2x');
    expect(warn).toHaveBeenCalledWith({ a: { b: [MASK] }, err: `Error: no ${MASK}` }, `at ${MASK}`);
  });

  it('does nothing for lines that nobody wants', () => {
    const debug = vi.fn();
    const logger = redactingLogger({ ...silentLogger, debug, isLevelEnabled: (level) => level !== 'debug' }, redactor);
    logger.debug({}, 'x');
    expect(debug).not.toHaveBeenCalled();
    expect(redactingLogger(silentLogger, redactor)).toBe(silentLogger);
  });
});
