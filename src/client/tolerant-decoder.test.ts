import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { expect, it, onTestFinished } from 'vitest';
import { OfficeConnection } from './office-connection.js';

/** A Server whose answers to `client:get_tools` are these packets. */
async function serverSending(...packets: string[]): Promise<string> {
  const http = createServer();
  const io = new Server(http);
  onTestFinished(() => io.close());
  io.of('/smcp').on('connection', (socket) => {
    const conn = socket.conn as unknown as { write: (packet: string) => void };
    socket.on('client:get_tools', () => {
      for (const packet of packets) conn.write(packet);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

it('a NaN that a Python peer sends ends no connection: it is read as null', async () => {
  const url = await serverSending(
    '2/smcp,["notify:update_desktop",{"computer":"c","size":Infinity}]',
    '3/smcp,0[{"tools":[NaN],"note":"NaN"}]',
  );
  await using connection = new OfficeConnection({ url, role: 'agent' });
  const notices: unknown[] = [];
  connection.handle('notify:update_desktop', ([payload]) => notices.push(payload));
  await connection.connect();
  const answer = await connection.request('client:get_tools', {}, { timeoutMs: 5_000 });
  expect(answer).toEqual({ tools: [null], note: 'NaN' });
  expect(notices).toEqual([{ computer: 'c', size: null }]);
  expect(connection.connected).toBe(true);
});

it('an event or an answer of 300,000 arguments ends nothing', async () => {
  const many = ',0'.repeat(300_000);
  const url = await serverSending(
    `2/smcp,["notify:update_desktop",{"computer":"c"}${many}]`,
    `3/smcp,0["tools"${many}]`,
  );
  await using connection = new OfficeConnection({ url, role: 'agent' });
  const notices: unknown[] = [];
  connection.handle('notify:update_desktop', ([payload]) => notices.push(payload));
  await connection.connect();
  expect(await connection.request('client:get_tools', {}, { timeoutMs: 5_000 })).toBe('tools');
  expect(notices).toEqual([{ computer: 'c' }]);
});
