/** The protocol version that this package speaks by default. Protocol §2. */
export const PROTOCOL_VERSION = '0.2.0';

/** The name of the query parameter that carries the version. Protocol §2. */
export const VERSION_QUERY_PARAMETER = 'a2c_version';

/** A parsed `MAJOR.MINOR.PATCH`. */
export interface ProtocolVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The lowest and the highest version that a Server accepts. */
export interface VersionRange {
  readonly min: string;
  readonly max: string;
}

const PART = '(0|[1-9][0-9]{0,8})';
const VERSION = new RegExp(`^${PART}\\.${PART}\\.${PART}$`);

/**
 * Reads a version exactly: three decimal parts, no sign, no leading zero, at most nine digits each. Protocol §2.1.
 *
 * @returns the parts, or `undefined` when the text is anything else.
 */
export function parseVersion(text: string): ProtocolVersion | undefined {
  const match = VERSION.exec(text);
  if (match === null) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/**
 * Whether a client of one version may talk to a Server of another: MAJOR equal; while MAJOR is 0, MINOR equal; from
 * 1.0 on, client MINOR at most the Server's. PATCH never matters. Protocol §2.1.
 */
export function isCompatible(client: ProtocolVersion, server: ProtocolVersion): boolean {
  if (client.major !== server.major) return false;
  return server.major === 0 ? client.minor === server.minor : client.minor <= server.minor;
}

/** The range that a Server of this version accepts, as it stands in the 4008 body. Protocol §5.3. */
export function supportedRange(server: ProtocolVersion): VersionRange {
  const { major, minor } = server;
  return { min: `${major}.${major === 0 ? minor : 0}.0`, max: `${major}.${minor}.999` };
}
