import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { expect, it } from 'vitest';
import { registerDocumentCollection, registerWindows, type RegisteredWindows } from './index.js';

const uri = (path: string): string => `window://com.example.editor/${path}`;
const window = (path: string) => ({ host: 'com.example.editor', path, name: path, content: path });

it('serves clients of MCP 2026-07-28, which name what they want to hear of in another way', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  let windows: RegisteredWindows | undefined;
  const serving = serveStdio(
    () => {
      const server = new McpServer({ name: 'test', version: '1' });
      windows = registerWindows(server, [window('a'), window('b')]);
      registerDocumentCollection(server, { host: 'com.example.docs', name: 'Docs', read: () => undefined });
      return server;
    },
    { transport: far },
  );
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const told: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('list'));
  try {
    await client.connect(near);
    expect((await client.listResources()).resources.map((resource) => resource.uri)).toEqual([uri('a'), uri('b')]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ name: 'Docs' }]);
    await client.listen({ resourceSubscriptions: [uri('a')], resourcesListChanged: true });
    windows?.set(uri('a'), 'changed');
    windows?.update(uri('b'));
    windows?.add(window('c'));
    // Whatever was told comes before the answer.
    expect((await client.readResource({ uri: uri('a') })).contents).toEqual([{ uri: uri('a'), text: 'changed' }]);
    expect(told).toEqual(['list', uri('a')]);
  } finally {
    await client.close();
    await serving.close();
  }
});
