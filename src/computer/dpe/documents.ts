import type { GetDpeRequest, JsonObject, Logger } from '../../protocol/index.js';
import type { ReportDiagnostic, ResourceHost } from '../hosting.js';
import type { Redactor } from '../redactor.js';
import type { ResourceListing } from '../resource-watch.js';
import type { DpeResolver } from './dpe-resolver.js';
import { getDpe } from './get-dpe.js';
import { HostIndex } from './host-index.js';

/** What {@link Documents} works with. */
export interface DocumentsOptions {
  readonly host: ResourceHost;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly report: ReportDiagnostic;
  /** Settled when the lists of resources that are under way now are known. */
  readonly listed: () => Promise<void>;
  /** Ends what is under way when the Computer closes. */
  readonly signal: AbortSignal;
}

/** The documents of one Computer: which MCP server has which, and what turns them into URIs. Protocol §8.3. */
export class Documents {
  /** Registered by the application. */
  resolver: DpeResolver | undefined;
  readonly #options: DocumentsOptions;
  readonly #index = new HostIndex();

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  /** A running server has listed its resources, at first or anew. */
  listed(server: string, listing: ResourceListing): void {
    for (const { host, servers } of this.#index.update(server, listing)) {
      const names = servers.map((name) => JSON.stringify(name)).join(' and ');
      const problem = `MCP servers ${names} both use the host "${host}": documents are asked of the one configured first`;
      this.#options.report({ server, item: host, problem });
    }
  }

  /** A server is not in the configuration any more. */
  remove(server: string): void {
    this.#index.remove(server);
  }

  /** Answers `client:get_dpe`. @throws ProtocolError 4011, 4012 or 4013. */
  get(request: GetDpeRequest): Promise<JsonObject> {
    return getDpe(request, { ...this.#options, index: this.#index, resolver: this.resolver });
  }
}
