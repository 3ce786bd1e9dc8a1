import { isJsonObject } from '../protocol/index.js';

/** A packet of Engine.IO, as its client shows it before it acts on it. */
interface EnginePacket {
  type: string;
  data?: unknown;
}

/** The part of Engine.IO's client that is used here. */
interface PacketSource {
  on: (event: 'packet', listener: (packet: EnginePacket) => void) => void;
}

/**
 * Takes a handshake that cannot be read for an error of the Server. Engine.IO's client throws at one, out of anybody's
 * reach: any web server that answers with `0` would end the process.
 */
export function guardHandshake(engine: PacketSource): void {
  engine.on('packet', (packet) => {
    if (packet.type !== 'open' || isHandshake(packet.data)) return;
    packet.type = 'error';
    packet.data = 'unreadable handshake';
  });
}

function isHandshake(text: unknown): boolean {
  try {
    const data: unknown = JSON.parse(String(text));
    return (
      isJsonObject(data) &&
      typeof data['sid'] === 'string' &&
      Array.isArray(data['upgrades']) &&
      typeof data['pingInterval'] === 'number' &&
      typeof data['pingTimeout'] === 'number'
    );
  } catch {
    return false;
  }
}
