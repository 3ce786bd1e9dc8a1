import type { Program } from './mcp-servers.js';

/** What the server can be asked for. */
export type ServerRequest = { readonly ask: 'url' } | { readonly ask: 'memory' };

/** Calls for `ms` milliseconds, or idle members. */
export type LoadRequest =
  | {
      readonly load: 'calls';
      readonly url: string;
      /** Size of request and answer, in bytes. */
      readonly bytes: number;
      readonly inFlight: number;
      readonly ms: number;
    }
  | {
      readonly load: 'members';
      readonly url: string;
      readonly count: number;
      readonly from: number;
      readonly join: boolean;
    };

/** What calls came to. */
export interface LoadResult {
  readonly callsPerSecond: number;
  /** Median time of one call, in milliseconds. */
  readonly p50: number;
}

/** Ends the servers that it owns and starts these; calls a tool that never answers on each of them. */
export interface DrainRequest {
  readonly programs: readonly Program[];
  readonly tool: string;
  readonly calls: number;
}

/** Resolves one document: of this size, or the one that is at `uri`. */
export interface DocumentRequest {
  /** In bytes. */
  readonly bytes?: number;
  readonly uri?: string;
}

/** What that took. */
export interface DocumentMemory {
  /** Of the document, in bytes. */
  readonly size: number;
  /** How much the resident memory was more at its peak than before, in bytes. */
  readonly growth: number;
}
