import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { expect, it, onTestFinished } from 'vitest';
import { OfficeConnection } from './office-connection.js';

it('a NaN that a Python peer sends ends no connection: it is read as null', async () => {
  const http = createServer();
  const io = new Server(http);
  onTestFinished(() => io.close());
  io.of('/smcp').on('connection', (socket) => {
    const conn = socket.conn as unknown as { write: (packet: string) => void };
    socket.on('client:get_tools', () => {
      conn.write('2/smcp,["notify:update_desktop",{"computer":"c","size":Infinity}]');
      conn.write('3/smcp,0[{"tools":[NaN],"note":"NaN"}]');
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  await using connection = new OfficeConnection({ url, role: 'agent' });
  const notices: unknown[] = [];
  connection.handle('notify:update_desktop', ([payload]) => notices.push(payload));
  await connection.connect();
  const answer = await connection.request('client:get_tools', {}, { timeoutMs: 5_000 });
  expect(answer).toEqual({ tools: [null], note: 'NaN' });
  expect(notices).toEqual([{ computer: 'c', size: null }]);
  expect(connection.connected).toBe(true);
});
