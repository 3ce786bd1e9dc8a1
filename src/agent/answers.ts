import type { JsonObject, Role } from '../protocol/index.js';

/** What a Computer is configured with, as it shows it: placeholders unresolved, secrets masked. Protocol §7.1. */
export interface ComputerConfig {
  /** By name; each is to be read with `mcpServerConfigSchema`, peers in other languages fill it in other ways. */
  readonly servers: Readonly<Record<string, JsonObject>>;
  readonly inputs: readonly unknown[];
}

/** One page of an MCP server's resources. Protocol §8.2. */
export interface ResourcePage {
  /** MCP's own objects, in the server's order. */
  readonly resources: readonly JsonObject[];
  /** What to give to `getResources` for the next page; absent on the last. */
  readonly nextCursor?: string;
}

/**
 * Where a document can be fetched. Never to be kept beyond the session: ask again instead. Protocol §8.3, §8.4.
 */
export interface DocumentAccess {
  readonly uri: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
  readonly name?: string;
  readonly description?: string;
  readonly annotations?: JsonObject;
  /** The `_meta` that the resolver gave. */
  readonly meta?: JsonObject;
}

/** One member of the office. Protocol §3.2. */
export interface OfficeMember {
  /** The id of its connection. */
  readonly sid: string;
  readonly name: string;
  readonly role: Role;
  readonly officeId: string;
  /** The protocol version that it speaks, where the Server says so. */
  readonly protocolVersion?: string;
}
