import { afterAll, describe, expect, it } from 'vitest';
import { silentLogger, type CallToolResult } from '../../protocol/index.js';
import { transformResult, VrlRunner, type ResultToTransform } from './index.js';

const SECRET = 'canary-in-the-result';
const result: CallToolResult = {
  content: [{ type: 'text', text: SECRET }],
  isError: false,
  structuredContent: { rows: 2 },
  meta: { trace: 't1', a2c_vrl_transformed: 'of the server' },
  extra: 'kept',
};

describe('transformResult [R-7.4-event]', { timeout: 60_000 }, () => {
  const runner = new VrlRunner({ deadlineMs: 15_000, maxWaitMs: 60_000 });
  afterAll(() => runner.close());

  const warnings: [object, string][] = [];
  const logger = { ...silentLogger, warn: (fields: object, message: string) => void warnings.push([fields, message]) };
  const transform = (source: string, more: Partial<ResultToTransform> = {}): Promise<CallToolResult> =>
    transformResult({ runner, source, result, toolName: 'own', params: { q: 'é' }, logger, server: 's', ...more });

  it('puts the event after the script into the metadata and leaves everything else alone', async () => {
    const transformed = await transform('.seen = [.tool_name, .parameters.q, .meta.trace, .structuredContent.rows]');
    const { meta, ...rest } = transformed;
    const { meta: before, ...original } = result;
    expect(rest).toEqual(original);
    expect(transformed.content).toBe(result.content);
    const { a2c_vrl_transformed: text, ...others } = meta ?? {};
    expect(others).toEqual({ trace: 't1' });
    expect(JSON.parse(String(text))).toEqual({
      ...original,
      meta: before,
      tool_name: 'own',
      parameters: { q: 'é' },
      seen: ['own', 'é', 't1', 2],
    });
  });

  it('gives a result without metadata some', async () => {
    const bare: CallToolResult = { content: result.content };
    const transformed = await transform('. = .tool_name', { result: bare });
    expect(transformed).toEqual({ ...bare, meta: { a2c_vrl_transformed: '"own"' } });
  });

  it('does nothing without a script', async () => {
    expect(await transform(' \n')).toBe(result);
  });

  it.each([
    ['fails', '. = parse_json!(.content[0].text)', 'runtime'],
    ['gives up', 'abort', 'runtime'],
    ['does not compile', '.a = ', 'compile'],
  ])(
    'only warns about a script that %s, without a word of the result [R-7.4-failure]',
    async (_title, source, kind) => {
      warnings.length = 0;
      expect(await transform(source)).toBe(result);
      const message = 'A VRL script failed: the result goes on without its outcome';
      expect(warnings).toEqual([[expect.objectContaining({ server: 's', tool: 'own', kind }), message]]);
      expect(JSON.stringify(warnings)).not.toContain(SECRET);
    },
  );

  it('only warns when the runner itself fails', async () => {
    warnings.length = 0;
    const broken = { runToJson: () => Promise.reject(new TypeError(SECRET)) };
    expect(await transform('.', { runner: broken })).toBe(result);
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain(SECRET);
  });

  it('leaves the outcome out rather than make a result that cannot be sent', async () => {
    warnings.length = 0;
    expect(await transform('.', { isSendable: () => false })).toBe(result);
    expect(warnings).toHaveLength(1);
  });

  it('gives up when the time of the call is over', async () => {
    const stuck = new VrlRunner();
    const list = Array(5000).fill(1);
    const slow = 'for_each(array!(.l)) -> |_i, _v| { for_each(array!(.l)) -> |_j, _w| { .n = 1 } }';
    const running = stuck.run(slow, { l: list }).catch(() => undefined);
    expect(await transform('.', { runner: stuck, timeoutMs: 5 })).toBe(result);
    await stuck.close();
    await running;
  });
});
