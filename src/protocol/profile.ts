import { ErrorCode, ProtocolError } from './errors.js';
import { CALL_EVENTS, COMMAND_EVENTS, NOTICE_EVENTS } from './events.js';
import { parseVersion, PROTOCOL_VERSION, supportedRange, type ProtocolVersion, type VersionRange } from './version.js';

/** What an attempt to join or leave came to. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * What differs between protocol versions, as one object chosen when a Server, Agent or Computer is made. Nothing
 * outside a profile compares versions; decoding is tolerant and shared by all of them.
 */
export interface ProtocolProfile {
  /** The version that is spoken: in the URL query of clients, in the version check of the Server. */
  readonly version: string;
  /** `client:*` events that are relayed. */
  readonly calls: typeof CALL_EVENTS;
  /** `server:*` events that the Server acts on. */
  readonly commands: typeof COMMAND_EVENTS;
  /** `notify:*` events that the Server sends. */
  readonly notices: typeof NOTICE_EVENTS;
  /** The arguments of the acknowledgement of join and leave. */
  readonly encodeOutcome: (outcome: Outcome) => readonly unknown[];
  /** The error for an MCP server that a Computer does not have. */
  readonly mcpServerNotFound: (mcpServer: string) => ProtocolError;
}

/** Protocol 0.2, the default. */
export const PROFILE_0_2: ProtocolProfile = Object.freeze({
  version: PROTOCOL_VERSION,
  calls: CALL_EVENTS,
  commands: COMMAND_EVENTS,
  notices: NOTICE_EVENTS,
  encodeOutcome: (outcome: Outcome) => (outcome.ok ? [true, null] : [false, outcome.reason]),
  mcpServerNotFound: (mcpServer: string) =>
    new ProtocolError(ErrorCode.NotFound, `This Computer has no MCP server named "${mcpServer}"`, {
      mcp_server_name: mcpServer,
    }),
});

/**
 * The parsed version of a profile and the range that a Server of it accepts.
 *
 * @throws TypeError when the profile's version is not `MAJOR.MINOR.PATCH`.
 */
export function profileVersion(profile: ProtocolProfile): { version: ProtocolVersion; range: VersionRange } {
  const version = parseVersion(profile.version);
  if (version === undefined) throw new TypeError(`profile.version must be MAJOR.MINOR.PATCH, got "${profile.version}"`);
  return { version, range: supportedRange(version) };
}
