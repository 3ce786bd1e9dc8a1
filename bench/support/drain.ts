// Owns the troublesome servers of a benchmark in a process of its own, and drains them.
import { answerRequests } from './child.js';
import type { DrainRequest } from './requests.js';
import { RawClient } from './raw-client.js';

let clients: readonly RawClient[] = [];

answerRequests(async (request: DrainRequest) => {
  await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  clients = await Promise.all(request.programs.map((program) => RawClient.open(program)));
  for (const client of clients) {
    for (let call = 0; call < request.calls; call += 1) void client.request('tools/call', { name: request.tool });
  }
  return {};
});
