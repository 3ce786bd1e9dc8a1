import type { NetworkSettings } from '../../client/index.js';
import { parseDuration, type Logger, type McpServerConfig } from '../../protocol/index.js';
import type { Authorizer } from './authorizer.js';
import { HttpTransport } from './http-transports.js';
import type { ServerLogSink } from './server-log.js';
import { StdioTransport } from './stdio-transport.js';

/** What a transport needs beside its configuration. */
export interface TransportContext {
  readonly logger: Logger;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Gets what the server writes for a person. */
  readonly log?: ServerLogSink | undefined;
  /** Proxies, and authorities to trust, for HTTP servers; absent: neither. */
  readonly network?: NetworkSettings | undefined;
  /** The login of an HTTP server, by its rendered configuration; `undefined` where it brings its own credentials. */
  readonly authorizerOf?: ((config: McpServerConfig) => Authorizer | undefined) | undefined;
}

/** A transport for a rendered configuration; nothing is started. `kind` replaces the configured one of HTTP. */
export function makeTransport(
  config: McpServerConfig,
  context: TransportContext,
  kind = config.type,
): StdioTransport | HttpTransport {
  const server = config.name;
  if (config.type === 'stdio') {
    const {
      command,
      args,
      env,
      cwd,
      encoding,
      encoding_error_handler: encodingErrorHandler,
    } = config.server_parameters;
    return new StdioTransport({ ...context, server, command, args, env, cwd, encoding, encodingErrorHandler });
  }
  const { url, headers, timeout, sse_read_timeout: streamIdle } = config.server_parameters;
  return new HttpTransport({
    ...context,
    server,
    kind: kind === 'sse' ? 'sse' : 'streamable',
    url,
    headers,
    connectTimeoutMs: Math.max(1, parseDuration(timeout) ?? 0),
    streamIdleMs: parseDuration(streamIdle) ?? undefined,
    authorizer: context.authorizerOf?.(config),
    terminateOnClose: config.type === 'streamable' && config.server_parameters.terminate_on_close,
  });
}
