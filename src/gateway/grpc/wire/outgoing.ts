import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { OutgoingStream } from '../../../rfq/streams/stream.ts';

/** The status with which a refused call ends. */
export interface CallRefused {
  readonly code: status;
  readonly details: string;
}

/** Messages that may wait because the client does not read them. The stream ends beyond this many. */
export const MAX_UNREAD = 1_000;
/** How long a client has to read why its stream ended, before its connection is destroyed. */
const MAX_LEAVING_MS = 5_000;

export interface DuplexOptions<Message, Update> {
  /** Converts a message to its wire form. */
  readonly toUpdate: (message: Message) => Update;
  /** Called when the service ends the stream, before the client knows. */
  readonly onEnd: () => void;
  /** Destroys the connection of a call by its peer's address. */
  readonly hangUp: (peer: string) => void;
}

/** Creates the service's side of a gRPC stream, with a bound on the messages that wait for the client. */
export function createOutgoing<Message, Update>(
  call: ServerDuplexStream<unknown, Update>,
  { toUpdate, onEnd, hangUp }: DuplexOptions<Message, Update>,
): OutgoingStream<Message> {
  let ended = false;
  const end: OutgoingStream<Message>['end'] = (code, reason) => {
    if (ended) return;
    ended = true;
    endCall(call, { code: status[code], details: reason });
    const timer = setTimeout(() => hangUp(call.getPeer()), MAX_LEAVING_MS);
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

/** Ends a stream with a status, after the messages that were written before. */
export function endCall(call: ServerDuplexStream<unknown, unknown>, refused: CallRefused): void {
  if (!call.destroyed) call.emit('error', refused);
}
