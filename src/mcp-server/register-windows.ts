import type { McpServer } from '@modelcontextprotocol/server';
import { present } from './options.js';
import { RegisteredResources, type Registered } from './registered-resources.js';
import { ResourceHub } from './resource-hub.js';
import type { ReadRequest } from './resource-set.js';
import { windowResource, type WindowResourceOptions } from './window-resource.js';

/** What a window shows: its text, or a function that is asked each time somebody reads it. */
export type WindowContent = string | ((request: ReadRequest) => string | Promise<string>);

/** A window and what it shows. */
export interface WindowDefinition extends WindowResourceOptions {
  readonly content: WindowContent;
}

const HELPER = 'registerWindows';

/**
 * Registers windows on a server of the official SDK: they are listed, read and subscribed to, and show on the desktop of
 * the Computer that hosts the server. May be called several times, together with `registerDocuments` and beside
 * resources of your own. What a `content` function throws goes to `server.server.onerror`; the client is told that the
 * window could not be read, and no more. Protocol §4.2, §4.3, §8.1.
 *
 * @param server - not connected yet, or made with the capabilities `{ resources: { subscribe: true, listChanged: true } }`.
 * @returns a handle to change them by.
 * @throws TypeError that names the option at fault; Error when it is too late for this server.
 *
 * @example
 * const windows = registerWindows(server, [
 *   { host: 'com.example.editor', path: 'open', name: 'Open files', content: () => files.join('\n') },
 * ]);
 * windows.update('window://com.example.editor/open'); // After a change of `files`.
 */
export function registerWindows(server: McpServer, windows: readonly WindowDefinition[]): RegisteredWindows {
  return RegisteredWindows.register(server, windows);
}

/** The windows that {@link registerWindows} registered. */
export class RegisteredWindows extends RegisteredResources<WindowDefinition, WindowContent> {
  /** See {@link registerWindows}. */
  static register(server: McpServer, windows: readonly WindowDefinition[]): RegisteredWindows {
    const registered = new RegisteredWindows(HELPER, ResourceHub.of(HELPER, server));
    registered.addAll(windows);
    return registered;
  }

  protected override register(definition: WindowDefinition): Registered<WindowDefinition> {
    const { content, ...options } = definition;
    const resource = windowResource(options);
    if (typeof content !== 'string' && typeof content !== 'function') {
      throw new TypeError(`${HELPER}: ${resource.uri}: content: expected a string or a function`);
    }
    const { mimeType } = resource;
    return {
      definition,
      entry: {
        resource,
        read: async (request) => {
          const text: unknown = typeof content === 'function' ? await content(request) : content;
          if (typeof text !== 'string') throw new TypeError(`${HELPER}: ${resource.uri}: content gave no string`);
          return [present({ uri: request.uri, mimeType, text })];
        },
      },
    };
  }

  protected override withContent(definition: WindowDefinition, content: WindowContent): WindowDefinition {
    return { ...definition, content };
  }
}
