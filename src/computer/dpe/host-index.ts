import { DpeUri, WindowUri, type JsonObject } from '../../protocol/index.js';
import type { ResourceListing } from '../resource-watch.js';

/** A host that two MCP servers use. */
export interface HostConflict {
  readonly host: string;
  readonly servers: readonly [string, string];
}

/** A host of windows and documents, and who uses it. */
export interface DocumentHost {
  /** In lower case. */
  readonly host: string;
  /** The MCP servers with documents of this host, in the order of registration: the first one is asked. */
  readonly servers: readonly string[];
  /** Every MCP server that uses it, for windows too: more than one is a conflict. */
  readonly usedBy: readonly string[];
}

/** A document that an MCP server lists. */
export interface ListedDocument {
  /** The MCP server. */
  readonly server: string;
  readonly uri: string;
  /** Its title, where it has one. */
  readonly name?: string;
  readonly mimeType?: string;
}

interface ServerHosts {
  /** Hosts of `dpe:` URIs and templates: what routing looks at. Lower case. */
  readonly documents: ReadonlySet<string>;
  /** The same and those of `window:` URIs: one namespace for conflicts. Lower case. */
  readonly all: ReadonlySet<string>;
  /** The listed documents, by URI. */
  readonly resources: ReadonlyMap<string, JsonObject>;
}

/**
 * Which MCP server has which hosts. A server keeps its hosts while it is down, until it is removed from the
 * configuration; precedence among several is the order of registration and never that of start-up. Protocol §8.3.
 */
export class HostIndex {
  readonly #servers = new Map<string, ServerHosts>();
  readonly #known = new Set<string>();

  /**
   * Takes what a server lists now.
   *
   * @returns hosts that it shares with another server, each pair once for as long as both keep it.
   */
  update(server: string, listing: ResourceListing): readonly HostConflict[] {
    const hosts = hostsOf(listing);
    this.#servers.set(server, hosts);
    const shared: HostConflict[] = [];
    for (const [other, { all }] of this.#servers) {
      if (other === server) continue;
      for (const host of hosts.all) if (all.has(host)) shared.push({ host, servers: [other, server] });
    }
    this.#forgetConflictsOf(server, shared);
    const fresh = shared.filter((conflict) => !this.#known.has(keyOf(conflict)));
    for (const conflict of fresh) this.#known.add(keyOf(conflict));
    return fresh;
  }

  /** A server is not in the configuration any more. */
  remove(server: string): void {
    this.#servers.delete(server);
    this.#forgetConflictsOf(server, []);
  }

  /**
   * The servers that list documents of this host, in the order of registration.
   *
   * @param registered - every configured server, in that order.
   */
  find(host: string, registered: readonly string[]): readonly string[] {
    return registered.filter((server) => this.#servers.get(server)?.documents.has(host.toLowerCase()));
  }

  /** The servers that use this host, for windows too, in the order of registration. `registered` as above. */
  sharing(host: string, registered: readonly string[]): readonly string[] {
    return registered.filter((server) => this.#servers.get(server)?.all.has(host.toLowerCase()));
  }

  /** Every host, by name. `registered` as above. */
  hosts(registered: readonly string[]): readonly DocumentHost[] {
    const names = new Set(registered.flatMap((server) => [...(this.#servers.get(server)?.all ?? [])]));
    return [...names].sort().map((host) => {
      return { host, servers: this.find(host, registered), usedBy: this.sharing(host, registered) };
    });
  }

  /** Every document as last listed, server by server. `registered` as above. */
  listed(registered: readonly string[]): readonly ListedDocument[] {
    return registered.flatMap((server) =>
      [...(this.#servers.get(server)?.resources ?? [])].flatMap(([uri, { name, mimeType }]) =>
        hostOf(DpeUri, uri) === undefined
          ? []
          : {
              server,
              uri,
              ...(typeof name === 'string' && name !== '' ? { name } : undefined),
              ...(typeof mimeType === 'string' && mimeType !== '' ? { mimeType } : undefined),
            },
      ),
    );
  }

  /** A document as the server last listed it. */
  resource(server: string, uri: string): JsonObject | undefined {
    return this.#servers.get(server)?.resources.get(uri);
  }

  #forgetConflictsOf(server: string, except: readonly HostConflict[]): void {
    const kept = new Set(except.map(keyOf));
    for (const key of this.#known) {
      const [, one, two] = JSON.parse(key) as [string, string, string];
      if ((one === server || two === server) && !kept.has(key)) this.#known.delete(key);
    }
  }
}

function keyOf({ host, servers }: HostConflict): string {
  return JSON.stringify([host, ...[...servers].sort()]);
}

function hostsOf({ resources, templates }: ResourceListing): ServerHosts {
  const documents = new Set<string>();
  const all = new Set<string>();
  const byUri = new Map<string, JsonObject>();
  const add = (uri: unknown, isTemplate: boolean): boolean => {
    const dpeHost = hostOf(DpeUri, uri);
    const host = dpeHost ?? hostOf(WindowUri, uri);
    if (host === undefined || (isTemplate && host.includes('{'))) return false;
    all.add(host);
    if (dpeHost !== undefined) documents.add(host);
    return dpeHost !== undefined;
  };
  for (const resource of resources) {
    const uri = resource['uri'] as string;
    if (add(uri, false) && !byUri.has(uri)) byUri.set(uri, resource);
  }
  for (const template of templates) add(template['uriTemplate'], true);
  return { documents, all, resources: byUri };
}

function hostOf(kind: { parse(uri: string): { readonly host: string } }, uri: unknown): string | undefined {
  if (typeof uri !== 'string') return undefined;
  try {
    return kind.parse(uri).host.toLowerCase();
  } catch {
    return undefined;
  }
}
