import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../src/computer/index.js';
import { Office, officeServer } from '../fixtures/computer/office.js';

const SCRIPT = '.summary = string!(.tool_name) + " said " + string!(.content[0].text)\ndel(.content)';

describe('VRL scripts', () => {
  it('put the event after the script beside the result, whose content stays [R-7.4-script] [R-7.4-event]', async () => {
    const meta = { tool_meta: { echo: { alias: 'say' } } };
    await using office = await Office.open({ servers: { a: officeServer({}, { vrl: SCRIPT, ...meta }) } });
    const result = await office.call('say', { word: 'hello' });
    expect(result['content']).toEqual([{ type: 'text', text: '{"word":"hello"}' }]);
    const { a2c_vrl_transformed: outcome } = result['meta'] as { a2c_vrl_transformed: string };
    expect(JSON.parse(outcome)).toMatchObject({
      tool_name: 'echo',
      parameters: { word: 'hello' },
      summary: 'echo said {"word":"hello"}',
    });
    expect(JSON.parse(outcome)).not.toHaveProperty('content');
  });

  it('that fail on a result leave it as it is [R-7.4-failure]', async () => {
    await using office = await Office.open({ servers: { a: officeServer({}, { vrl: '. = parse_json!("no")' }) } });
    expect(await office.call('echo', {})).toEqual({ content: [{ type: 'text', text: '{}' }], isError: false });
  });

  it('that do not compile stop the start of their server only, and say where [R-7.4-compile]', async () => {
    await using office = await Office.open({
      servers: { a: officeServer({}, { vrl: '.x = ' }), b: officeServer({ only: ['echo'] }) },
    });
    const [broken, fine] = office.computer.servers();
    expect(broken).toMatchObject({
      server: 'a',
      state: 'failed',
      reason: expect.stringMatching(/VRL.*line 1/) as string,
    });
    expect(fine).toMatchObject({ server: 'b', state: 'running' });
  });

  it('that changed restart their server, and count from then on', async () => {
    await using office = await Office.open({ servers: { a: officeServer({}, { vrl: '.v = 1' }) } });
    await office.computer.updateServer('a', officeServer({}, { vrl: '. = { "v": 2 }' }));
    const { meta } = await office.call('echo', {});
    expect(meta).toEqual({ a2c_vrl_transformed: '{"v":2}' });
  });

  it('of a disabled server are checked all the same', async () => {
    await using office = await Office.open({ servers: {} });
    const told = new Promise<Diagnostic>((resolve) => {
      office.computer.on('diagnostic', resolve);
    });
    await office.computer.addServer('a', officeServer({}, { vrl: '.x = ', disabled: true }));
    expect(await told).toMatchObject({ server: 'a', item: 'vrl', problem: expect.stringMatching(/line 1/) as string });
  });
});
