/** For whom a resource is: the model (`assistant`) or the person (`user`). */
export type Audience = 'assistant' | 'user';

/** A resource as it stands in the answer of MCP's `resources/list`. The official server SDK takes it as it is. */
export interface McpResource {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  annotations: {
    audience: Audience[];
    priority?: number;
    lastModified?: string;
  };
  _meta?: Record<string, unknown>;
}
