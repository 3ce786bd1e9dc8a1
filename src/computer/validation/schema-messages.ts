import type { JsonObject } from '../../protocol/index.js';

/** What the thread is asked, one at a time: whether arguments fit a schema. */
export interface SchemaRequest {
  /** Stands for the schema. */
  readonly id: number;
  /** Needed when the thread does not know the schema. */
  readonly schema?: JsonObject;
  readonly args: JsonObject;
}

/** What it answers. */
export type SchemaReply =
  | { readonly type: 'valid' }
  /** Sentences that name a field and what is expected of it, never a value. */
  | { readonly type: 'invalid'; readonly problems: readonly string[] }
  /** It has to be asked again with the schema. */
  | { readonly type: 'unknown' }
  /** Nothing can be checked with this schema. */
  | { readonly type: 'unusable'; readonly why: string };
