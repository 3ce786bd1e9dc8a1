import type { GetDpeRequest, JsonObject, Logger } from '../../protocol/index.js';
import type { ReportDiagnostic, ResourceHost } from '../hosting.js';
import type { Redactor } from '../redactor.js';
import type { ResourceListing } from '../resource-watch.js';
import type { DpeResolver } from './dpe-resolver.js';
import { getDpe, type SharedHosts } from './get-dpe.js';
import { HostIndex, type DocumentHost, type ListedDocument } from './host-index.js';
import { Resolutions } from './resolutions.js';

/** What {@link Documents} works with. */
export interface DocumentsOptions {
  readonly host: ResourceHost;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly report: ReportDiagnostic;
  /** What happens to a host that several MCP servers use. */
  readonly sharedHosts: SharedHosts;
  /** Settled when the lists of resources that are under way now are known. */
  readonly listed: () => Promise<void>;
  /** Ends what is under way when the Computer closes. */
  readonly signal: AbortSignal;
}

/** What a Computer can say about its documents. Protocol §8.3. */
export interface DocumentsStatus {
  /** Whether there is a resolver: without one, Agents get no documents. */
  readonly hasResolver: boolean;
  /** The hosts that MCP servers use, by name. */
  readonly hosts: readonly DocumentHost[];
}

/** The documents of one Computer: which MCP server has which, and what turns them into URIs. Protocol §8.3. */
export class Documents {
  readonly #options: DocumentsOptions;
  readonly #index = new HostIndex();
  readonly #resolutions: Resolutions;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#resolutions = new Resolutions({ ...options, index: this.#index });
  }

  /** Registered by the application. */
  get resolver(): DpeResolver | undefined {
    return this.#resolutions.resolver;
  }

  set resolver(resolver: DpeResolver | undefined) {
    this.#resolutions.resolver = resolver;
  }

  /** The hosts, and whether there is a resolver. */
  status(): DocumentsStatus {
    return { hasResolver: this.resolver !== undefined, hosts: this.#index.hosts(this.#options.host.serverNames()) };
  }

  /** The documents that the MCP servers list, server by server. */
  list(): readonly ListedDocument[] {
    return this.#index.listed(this.#options.host.serverNames());
  }

  /** A running server has listed its resources, at first or anew. */
  listed(server: string, listing: ResourceListing): void {
    const outcome =
      this.#options.sharedHosts === 'refuse'
        ? 'its documents are refused'
        : 'documents are asked of the one configured first';
    for (const { host, servers } of this.#index.update(server, listing)) {
      const names = servers.map((name) => JSON.stringify(name)).join(' and ');
      this.#options.report({
        server,
        item: host,
        problem: `MCP servers ${names} both use the host "${host}": ${outcome}`,
      });
    }
  }

  /** A server says that a resource has new content. */
  resourceUpdated(server: string, uri: string): void {
    this.#resolutions.resourceUpdated(server, uri);
  }

  /** A server says that its list is another one. */
  resourcesChanged(server: string): void {
    this.#resolutions.resourcesChanged(server);
  }

  /** A server runs no more. It keeps its hosts. */
  serverStopped(server: string): void {
    this.#resolutions.serverStopped(server);
  }

  /** A server is not in the configuration any more. */
  remove(server: string): void {
    this.#index.remove(server);
  }

  /** Nothing that was answered in one office shows in the next one. */
  officeChanged(): void {
    this.#resolutions.clear();
  }

  /** Answers `client:get_dpe`. @throws ProtocolError 4011, 4012 or 4013. */
  get(request: GetDpeRequest): Promise<JsonObject> {
    return getDpe(request, { ...this.#options, index: this.#index, resolutions: this.#resolutions });
  }
}
