import { describe, expect, it, vi } from 'vitest';
import { jsonByteLength, silentLogger, type JsonObject, type SmcpTool } from '../protocol/index.js';
import { ToolAnswers } from './tool-answers.js';

function toolOf(name: string, schema: JsonObject = {}): SmcpTool {
  return { name, description: '', params_schema: schema, return_schema: null, meta: {} };
}

describe('ToolAnswers', () => {
  it('measures a list once, never less than it is on the wire', () => {
    const answers = new ToolAnswers(silentLogger);
    const tools = [toolOf('名'), toolOf('b')];
    const answer = answers.of(tools);
    expect(answer.tools).toEqual(tools);
    expect(answer.size).toBeGreaterThan(jsonByteLength({ tools, req_id: '' }));
    expect(answers.of(tools)).toBe(answer);
  });

  it('leaves out a tool that nests too deep, with a warning, and keeps the others', () => {
    let schema: JsonObject = {};
    for (let level = 0; level < 200; level += 1) schema = { properties: schema };
    const warn = vi.fn();
    const { tools } = new ToolAnswers({ ...silentLogger, warn }).of([toolOf('a'), toolOf('deep', schema), toolOf('b')]);
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
