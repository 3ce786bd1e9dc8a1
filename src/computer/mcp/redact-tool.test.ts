import { describe, expect, it } from 'vitest';
import type { SmcpTool } from '../../protocol/index.js';
import { redactTool } from './redact-tool.js';

const redact = (text: string): string => text.replaceAll('s3cret', '***');
const schema = JSON.parse(
  '{"type":"object","title":"s3cret","properties":{"__proto__":{"default":{"a":["s3cret",1]},"enum":["s3cret"]}},"examples":[{"x":"s3cret"}],"$ref":"#/s3cret","required":["s3cret"]}',
) as SmcpTool['params_schema'];

describe('redactTool', () => {
  it('gives the same object where there is no secret', () => {
    const tool = { name: 'x', description: 'd', params_schema: {}, return_schema: null, meta: {} };
    expect(redactTool(tool, redact)).toBe(tool);
  });

  it('takes secrets out of what is for readers, and leaves names and what decides what is valid', () => {
    const meta = { list: ['s3cret'], flag: true };
    const tool = { name: 's3cret', description: 'a s3cret', params_schema: schema, return_schema: schema, meta };
    const shown = redactTool(tool, redact);
    const shownSchema =
      '{"type":"object","title":"***","properties":{"__proto__":{"default":{"a":["***",1]},"enum":["s3cret"]}},"examples":[{"x":"***"}],"$ref":"#/s3cret","required":["s3cret"]}';
    expect(JSON.stringify(shown.params_schema)).toBe(shownSchema);
    expect(JSON.stringify(shown.return_schema)).toBe(shownSchema);
    expect(shown).toMatchObject({ name: 's3cret', description: 'a ***', meta: { list: ['***'], flag: true } });
  });

  it('does not look into what nests too deep to be sent', () => {
    let deep: SmcpTool['params_schema'] = { title: 's3cret' };
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    const tool = { name: 'x', description: '', params_schema: deep, return_schema: null, meta: {} };
    expect(redactTool(tool, redact)).toBe(tool);
  });
});
