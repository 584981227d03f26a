/** Hands messages from one instance to another. */
export interface Relay {
  /** The name of this instance, which no other has and none after it will have. */
  readonly self: string;
  /**
   * Resolves to false when nobody listens under that name. True does not mean that the message arrived: the connection
   * that it was written to may be dead. Only an answer of the instance shows that.
   * @throws Unavailable
   */
  readonly send: (to: string, message: string) => Promise<boolean>;
  /** Calls back with what others send to this instance. */
  readonly receive: (handler: (message: string) => void) => Promise<void>;
}

/** Tells all instances, this one among them, what they can do without. */
export interface Broadcast {
  /** @throws Unavailable */
  readonly send: (message: string) => Promise<void>;
  /** Calls back with what is sent while this instance listens. */
  readonly receive: (handler: (message: string) => void) => Promise<void>;
}
