import { type McpClient } from './mcp-client.js';

interface Subscription {
  users: number;
  /** The request under way, or the last one. */
  settled: Promise<void>;
}

/**
 * The resource subscriptions of one session: counted, one request at a time for each URI, recorded only when the server
 * confirmed. A new session begins with none: who wants them asks again when the server runs.
 */
export class ResourceSubscriptions {
  readonly #client: McpClient;
  readonly #byUri = new Map<string, Subscription>();

  constructor(client: McpClient) {
    this.#client = client;
  }

  /** URIs that are subscribed to, or are about to be. */
  get uris(): readonly string[] {
    return [...this.#byUri.keys()];
  }

  /** Throws as {@link McpClient.subscribe}; then nothing is recorded. */
  async subscribe(uri: string): Promise<void> {
    const known = this.#byUri.get(uri);
    if (known !== undefined) {
      known.users += 1;
      return known.settled;
    }
    const subscription = { users: 1, settled: this.#client.subscribe(uri) };
    this.#byUri.set(uri, subscription);
    try {
      await subscription.settled;
    } catch (error) {
      if (this.#byUri.get(uri) === subscription) this.#byUri.delete(uri);
      throw error;
    }
  }

  /** Takes one use back; the last one tells the server. Throws as {@link McpClient.unsubscribe}. */
  async unsubscribe(uri: string): Promise<void> {
    const known = this.#byUri.get(uri);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    this.#byUri.delete(uri);
    await known.settled.catch(() => undefined);
    // Wanted again while we waited.
    if (!this.#byUri.has(uri)) await this.#client.unsubscribe(uri);
  }
}
