import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { OfficeConnection } from './office-connection.js';

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each([
  ['no JSON', '0'],
  ['half a handshake', '0{"sid":"x"'],
  ['one without upgrades', '0{"sid":"x","pingInterval":1000,"pingTimeout":1000}'],
  ['one of the wrong types', '0{"sid":1,"upgrades":{},"pingInterval":"1","pingTimeout":null}'],
  ['null', '0null'],
])('a web server that answers with %s', (_title, answer) => {
  it('is a failed connection over polling', async () => {
    const url = await listen(createServer((_request, response) => response.end(answer)));
    await using connection = new OfficeConnection({ url, role: 'agent' });
    await expect(connection.connect()).rejects.toThrow(/^Cannot connect to the Server at 127\.0\.0\.1:\d+: /);
  });

  it('is a failed connection over WebSocket', async () => {
    const server = createServer();
    new WebSocketServer({ server }).on('connection', (socket) => {
      socket.send(answer);
    });
    const url = await listen(server);
    await using connection = new OfficeConnection({ url, role: 'agent', transports: ['websocket'] });
    await expect(connection.connect()).rejects.toThrow(/^Cannot connect to the Server at 127\.0\.0\.1:\d+: /);
  });
});
