import type { Socket } from 'socket.io';

type OnAnswer = (...answer: unknown[]) => void;

/** Where Socket.IO keeps the callbacks of a socket that wait for an acknowledgement. */
interface AckHolder {
  readonly acks: Map<number, OnAnswer>;
}

/**
 * Emits an event that wants an acknowledgement.
 *
 * Socket.IO itself either keeps the callback for as long as the socket lives, or runs a timer that outlives the socket;
 * here the caller takes the callback back when it no longer waits.
 *
 * @returns the id with which {@link forgetAck} takes the callback back.
 * @throws what the encoder throws for a payload without a JSON form; nothing waits then.
 */
export function emitForAck(socket: Socket, event: string, payload: unknown, onAnswer: OnAnswer): number {
  const id = socket.nsp._ids;
  try {
    socket.emit(event, payload, onAnswer);
  } catch (error) {
    forgetAck(socket, id);
    throw error;
  }
  return id;
}

/** Takes back the callback of an acknowledgement that did not come. A late one is ignored. */
export function forgetAck(socket: Socket, id: number): void {
  (socket as unknown as AckHolder).acks.delete(id);
}
