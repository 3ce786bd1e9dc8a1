import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { Subscriptions } from './subscriptions.js';

/**
 * Tells the client of changes: of a resource, if it subscribed to it; of the list, if it has asked for one. Changes of
 * one moment are told once.
 */
export class ChangeNotices {
  /** What the client subscribed to. */
  readonly subscriptions: Subscriptions;
  readonly #server: McpServer['server'];
  readonly #report: (error: unknown) => void;
  readonly #changed = new Set<string>();
  #listChanged = false;
  #scheduled = false;
  #askedOn: unknown;
  #filteredBySdk = false;

  constructor(server: McpServer['server'], report: (error: unknown) => void) {
    this.#server = server;
    this.#report = report;
    this.subscriptions = new Subscriptions(server);
    // Who is connected already may have asked before.
    this.#askedOn = server.transport;
  }

  /** A request came: whoever asked has an interest in what changes. */
  clientAsked(context: ServerContext): void {
    this.#askedOn = this.#server.transport;
    // Since 2026-07-28 clients say what they want to hear of to the SDK, and it leaves out the rest.
    this.#filteredBySdk = context.mcpReq.envelope !== undefined;
  }

  /** The content of a resource is another one. */
  changed(uri: string): void {
    this.#changed.add(uri);
    this.#schedule();
  }

  /** The list is another one. */
  listChanged(): void {
    this.#listChanged = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      void this.#tell();
    });
  }

  async #tell(): Promise<void> {
    const isListed = this.#server.transport !== undefined && this.#server.transport === this.#askedOn;
    const listChanged = this.#listChanged && isListed;
    const uris = [...this.#changed].flatMap((uri) => this.#wanted(uri));
    this.#listChanged = false;
    this.#changed.clear();
    try {
      if (listChanged) await this.#server.sendResourceListChanged();
      for (const uri of uris) await this.#server.sendResourceUpdated({ uri });
    } catch (error) {
      // The connection ended meanwhile: nobody is there to be told.
      this.#report(error);
    }
  }

  #wanted(uri: string): readonly string[] {
    if (this.#filteredBySdk) return this.#server.transport === undefined ? [] : [uri];
    return this.subscriptions.of(uri);
  }
}
