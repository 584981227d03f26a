/** Sends messages from one instance to another. */
export interface MessageTransport {
  /** The name of this instance. It is unique and never used again. */
  readonly self: string;
  /**
   * Sends a message to an instance.
   *
   * Returns false when no instance listens under that name. True does not mean that the message arrived, because the
   * connection that it was written to may be dead. Only a reply shows that.
   * @throws Unavailable when the transport's server does not answer.
   */
  readonly send: (to: string, message: string) => Promise<boolean>;
  /** Calls the handler with each message to this instance. */
  readonly receive: (handler: (message: string) => void) => Promise<void>;
}

/** Sends messages to all instances, this one included. Messages may be lost. */
export interface Broadcast {
  /** @throws Unavailable when the server does not answer. */
  readonly send: (message: string) => Promise<void>;
  /** Calls the handler with each message that is sent while this instance listens. */
  readonly receive: (handler: (message: string) => void) => Promise<void>;
}
