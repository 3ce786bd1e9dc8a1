import { describe, expect, it } from 'vitest';
import { createLogger, prettyLine } from './logging.js';

function collect(
  level: string,
  format: 'pretty' | 'json',
): { lines: string[]; logger: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  const logger = createLogger(level, format, (line) => lines.push(line));
  return { lines, logger };
}

describe('the log of the command line', () => {
  it('shows warnings by default as one line with the word warn', () => {
    const { lines, logger } = collect('warn', 'pretty');
    logger.info({}, 'not shown');
    logger.warn({ server: 'x y', tool: 'z' }, 'A tool was\nleft out');
    expect(lines).toEqual(['warn  A tool was left out server="x y" tool=z\n']);
  });

  it('writes pino records with level 40 for warnings', () => {
    const { lines, logger } = collect('warn', 'json');
    logger.warn({ server: 'x' }, 'left out');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, server: 'x', msg: 'left out' });
  });

  it('shows an error by its message and never by its stack', () => {
    const { lines, logger } = collect('error', 'pretty');
    logger.error({ err: new Error('broken pipe') }, 'Could not write');
    expect(lines).toEqual(['error Could not write err="broken pipe"\n']);
  });

  it('reads a record of an unknown level', () => {
    expect(prettyLine({ level: 35, msg: 'hello' })).toBe('info  hello');
  });
});

describe('prettyLine', () => {
  it('keeps control characters off the terminal', () => {
    const line = prettyLine({ level: 40, msg: 'Refused', reason: 'x\u001B[31m', name: '\u009B31m' });
    expect(line).toBe('warn  Refused reason=x[31m name=31m');
  });
});
