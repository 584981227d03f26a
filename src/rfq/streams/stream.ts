/** Why the service ends a stream; the names are those of gRPC's status codes. */
export type StreamEnd =
  | 'ABORTED'
  | 'INVALID_ARGUMENT'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'UNAUTHENTICATED'
  | 'UNAVAILABLE';

/** The service's end of a stream to a maker. */
export interface Outgoing<Message> {
  /** Queues a message; nothing is sent any more once the stream has ended. */
  readonly send: (message: Message) => void;
  /** Ends the stream after what is queued, with a sentence that says why. */
  readonly end: (code: StreamEnd, reason: string) => void;
  /** Messages that the client's connection has not taken yet. */
  readonly unread: () => number;
}
