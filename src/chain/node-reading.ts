/** What this process has seen of a node that it calls. Times are Unix milliseconds. */
export interface NodeReading {
  /** Calls that were sent since the start, repeats included. */
  readonly calls: number;
  /** Those of them that got no answer, or none that could be used. A refusal is an answer. */
  readonly failures: number;
  /** The last call that failed; null if none did. The reason holds no part of the URL. */
  readonly lastFailure: { readonly at: number; readonly reason: string } | null;
  /** Calls that wait for their turn. */
  readonly waiting: number;
  /** Until when the node has asked not to be called; null if it has not. */
  readonly pausedUntil: number | null;
  /** Null for a node without one. */
  readonly webSocket: {
    readonly isUp: boolean;
    /** Since when it is up or down. */
    readonly since: number;
    /** Why it is down; null while it is up. */
    readonly reason: string | null;
  } | null;
}
