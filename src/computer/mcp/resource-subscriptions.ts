import type { McpClient } from './mcp-client.js';

interface Subscription {
  users: number;
  /** The server confirmed it. */
  confirmed: boolean;
  /** The requests for this URI, one after the other. */
  tail: Promise<void>;
}

/**
 * The resource subscriptions of one session: counted, one request at a time for each URI, recorded only when the server
 * confirmed. A new session begins with none: who wants them asks again when the server runs.
 */
export class ResourceSubscriptions {
  readonly #client: Pick<McpClient, 'subscribe' | 'unsubscribe'>;
  readonly #byUri = new Map<string, Subscription>();

  constructor(client: Pick<McpClient, 'subscribe' | 'unsubscribe'>) {
    this.#client = client;
  }

  /** Adds a use; the first asks the server. Throws as {@link McpClient.subscribe}; then nothing is recorded. */
  async subscribe(uri: string): Promise<void> {
    const subscription = this.#byUri.get(uri) ?? { users: 0, confirmed: false, tail: Promise.resolve() };
    this.#byUri.set(uri, subscription);
    subscription.users += 1;
    try {
      await this.#settle(uri, subscription);
    } catch (error) {
      subscription.users -= 1;
      this.#forgetUnused(uri, subscription);
      throw error;
    }
  }

  /** Takes one use back; the last one tells the server. Throws as {@link McpClient.unsubscribe}. */
  async unsubscribe(uri: string): Promise<void> {
    const subscription = this.#byUri.get(uri);
    if (subscription === undefined || subscription.users === 0) return;
    subscription.users -= 1;
    await this.#settle(uri, subscription);
    this.#forgetUnused(uri, subscription);
  }

  /** Makes the server's side what is wanted by the time that the requests before are answered. */
  #settle(uri: string, subscription: Subscription): Promise<void> {
    const settled = subscription.tail.then(async () => {
      const wanted = subscription.users > 0;
      if (wanted === subscription.confirmed) return;
      if (wanted) await this.#client.subscribe(uri);
      subscription.confirmed = wanted;
      if (!wanted) await this.#client.unsubscribe(uri);
    });
    subscription.tail = settled.catch(() => undefined);
    return settled;
  }

  #forgetUnused(uri: string, subscription: Subscription): void {
    if (subscription.users === 0 && !subscription.confirmed && this.#byUri.get(uri) === subscription) {
      this.#byUri.delete(uri);
    }
  }
}
