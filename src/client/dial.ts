import { Encoder } from 'socket.io-parser';
import { Manager, NodeWebSocket, NodeXHR, type ManagerOptions, type Socket } from 'socket.io-client';
import { isJsonObject, NAMESPACE } from '../protocol/index.js';
import type { ConnectionSettings } from './connection-options.js';
import type { Route } from './route.js';
import { TolerantDecoder } from './tolerant-decoder.js';

/** What Node's `ws` tells of an upgrade that was answered with something else. */
interface RefusedUpgrade {
  readonly request: { destroy: () => void };
  readonly response: {
    readonly statusCode?: number;
    readonly headers: Record<string, unknown>;
    setEncoding: (encoding: string) => void;
    on: (event: string, listener: (chunk: string) => void) => void;
  };
}

type UpgradeListener = (request: RefusedUpgrade['request'], response: RefusedUpgrade['response']) => void;

/**
 * Node's WebSocket transport, which by itself throws the body of a refused upgrade away. Without the body a client
 * that starts with WebSocket could not tell a refused version (4008) from a network fault, and would retry for ever.
 * In browsers, where no such event exists, it is the plain transport.
 */
class BodyReadingWebSocket extends NodeWebSocket {
  override createSocket(...args: Parameters<NodeWebSocket['createSocket']>): unknown {
    const socket: unknown = super.createSocket(...args);
    if (hasRefusalEvent(socket)) {
      socket.on('unexpected-response', (request, response) => {
        this.#read({ request, response });
      });
    }
    return socket;
  }

  #read({ request, response }: RefusedUpgrade): void {
    let responseText = '';
    const finish = (): void => {
      const { statusCode: status, headers } = response;
      this.onError('websocket error', status, { status, responseText, headers });
      request.destroy();
    };
    response.setEncoding('utf8');
    response.on('data', (chunk) => {
      if (responseText.length < MAX_BODY_LENGTH) responseText += chunk;
    });
    response.on('end', finish);
    response.on('error', finish);
  }
}

const MAX_BODY_LENGTH = 65_536;

function hasRefusalEvent(socket: unknown): socket is { on: (event: string, listener: UpgradeListener) => void } {
  return isJsonObject(socket) && typeof socket['on'] === 'function';
}

/** One Socket.IO socket with a Manager of its own: no other namespace can hold the Manager open. */
export interface Dialled {
  readonly manager: Manager;
  readonly socket: Socket;
}

/**
 * Makes a socket that is not connected yet and never reconnects by itself.
 *
 * @param auth - what goes into the CONNECT packet.
 * @param route - the way to the Server.
 */
export function dial(settings: ConnectionSettings, auth: Record<string, unknown>, route: Route): Dialled {
  const options: Partial<ManagerOptions> = {
    ...route.options,
    path: settings.path,
    transports: engineTransports(settings),
    autoConnect: false,
    reconnection: false,
    forceNew: true,
    parser: { Encoder, Decoder: TolerantDecoder },
    timeout: settings.connectTimeoutMs,
    ...(settings.headers === undefined ? {} : { extraHeaders: { ...settings.headers } }),
  };
  const manager = new Manager(settings.url.href, options);
  return { manager, socket: manager.socket(NAMESPACE, { auth }) };
}

// Engine.IO takes names or classes, not both in one list.
function engineTransports(settings: ConnectionSettings): NonNullable<ManagerOptions['transports']> {
  if (settings.transports[0] === 'polling') return [...settings.transports];
  return settings.transports.map((name) => (name === 'polling' ? NodeXHR : BodyReadingWebSocket));
}
