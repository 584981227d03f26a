/** Why the service ends a stream. The names are those of gRPC's status codes. */
export type StreamEnd =
  | 'ABORTED'
  | 'INVALID_ARGUMENT'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'UNAUTHENTICATED'
  | 'UNAVAILABLE';

/** The service's side of a stream to a maker. */
export interface OutgoingStream<Message> {
  /** Queues a message. Does nothing once the stream has ended. */
  readonly send: (message: Message) => void;
  /** Ends the stream after the queued messages, with a sentence that says why. */
  readonly end: (code: StreamEnd, reason: string) => void;
  /** Returns the number of messages that the client's connection has not accepted yet. */
  readonly unread: () => number;
}
