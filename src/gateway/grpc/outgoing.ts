import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { Outgoing } from '../../rfq/streams/stream.ts';
import type { CallRefused } from './credentials.ts';

/** Messages that a client has not read and its connection does not take: past this many the stream ends. */
export const MAX_UNREAD = 1_000;
/** A client that does not even read why its stream ended loses the connection after this long. */
const LEAVE_WITHIN_MS = 5_000;

export interface DuplexOptions<Message, Update> {
  readonly toUpdate: (message: Message) => Update;
  /** Told when the service ended the stream, before the client knows. */
  readonly onEnd: () => void;
  /** Destroys the connection of a call by its peer's address. */
  readonly hangUp: (peer: string) => void;
}

/** The service's side of a stream over gRPC, with a bound on what waits for the client. */
export function outgoingOf<Message, Update>(
  call: ServerDuplexStream<unknown, Update>,
  { toUpdate, onEnd, hangUp }: DuplexOptions<Message, Update>,
): Outgoing<Message> {
  let ended = false;
  const end: Outgoing<Message>['end'] = (code, reason) => {
    if (ended) return;
    ended = true;
    endCall(call, { code: status[code], details: reason });
    const timer = setTimeout(() => hangUp(call.getPeer()), LEAVE_WITHIN_MS);
    call.once('close', () => clearTimeout(timer));
    onEnd();
  };
  return {
    send: (message) => {
      if (ended || call.writableEnded || call.destroyed) return;
      call.write(toUpdate(message));
      if (call.writableLength <= MAX_UNREAD) return;
      end(
        'RESOURCE_EXHAUSTED',
        `more than ${MAX_UNREAD} messages of this stream are unread; read them between sends`,
      );
    },
    end,
    unread: () => call.writableLength,
  };
}

/** Ends a stream with a status, after what was written before. */
export function endCall(call: ServerDuplexStream<unknown, unknown>, refused: CallRefused): void {
  if (!call.destroyed) call.emit('error', refused);
}
