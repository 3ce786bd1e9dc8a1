import type { McpServer } from '@modelcontextprotocol/server';
import { parseUri } from './resource-key.js';

/**
 * Who wants to know of what: the URIs that the client on the other end subscribed to. A server speaks to one client at
 * a time; what was subscribed ends with the connection.
 */
export class Subscriptions {
  readonly #server: McpServer['server'];
  #connection: unknown;
  /** The URIs as the client wrote them, by what they name. */
  readonly #uris = new Map<string, Set<string>>();

  constructor(server: McpServer['server']) {
    this.#server = server;
  }

  add(uri: string): void {
    const key = keyOf(uri);
    const uris = this.#current().get(key) ?? new Set();
    this.#uris.set(key, uris.add(uri));
  }

  remove(uri: string): void {
    const key = keyOf(uri);
    const uris = this.#current().get(key);
    uris?.delete(uri);
    if (uris?.size === 0) this.#uris.delete(key);
  }

  /** The subscribed URIs that name this resource. */
  of(uri: string): readonly string[] {
    return [...(this.#current().get(keyOf(uri)) ?? [])];
  }

  #current(): ReadonlyMap<string, Set<string>> {
    if (this.#connection !== this.#server.transport) {
      this.#connection = this.#server.transport;
      this.#uris.clear();
    }
    return this.#uris;
  }
}

function keyOf(uri: string): string {
  return parseUri(uri)?.key ?? uri;
}
