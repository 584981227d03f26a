/** The options of an execution store. All instances that share it have to use the same options. */
export interface ExecutionStoreOptions {
  /** What the ids identify, such as `order`. It is the first part of the keys. */
  readonly kind: string;
  /** The message for a client whose request cannot be answered. */
  readonly whenLost: string;
  /** How long a task that was not begun is kept, in milliseconds. */
  readonly taskLifeMs: number;
  /** The time, in milliseconds, after which a run that its holder has not renewed can be begun by another. */
  readonly leaseMs: number;
  /** How long an answer is kept, in milliseconds. */
  readonly answerLifeMs: number;
}

/** The result of `ExecutionStore.begin`. */
export type BeginResult =
  /** The caller holds the run now. `isMarked` is set when an earlier holder has marked it. */
  | { readonly kind: 'begun'; readonly isMarked?: true }
  /** Another holder has the run, and renews it. */
  | { readonly kind: 'held' }
  | { readonly kind: 'ended'; readonly answer: string };

/**
 * A store for idempotent executions: tasks that any instance can run, one at a time, until there is an answer. A run is
 * held by a lease of a few seconds, so that another instance takes over the task of a process that was killed. Time is
 * the server's. Every method rejects with `Unavailable` while the server does not answer.
 */
export interface ExecutionStore {
  /** Stores a task until it is begun. */
  readonly put: (id: string, task: string) => Promise<void>;
  /** Resolves to the task, or null when it does not exist or has expired. */
  readonly get: (id: string) => Promise<string | null>;
  /** Resolves to what `begin` would, without beginning the run; `free` means that `begin` would succeed. */
  readonly look: (id: string) => Promise<Exclude<BeginResult, { kind: 'begun' }> | { readonly kind: 'free' }>;
  /** @param holder - Identifies this attempt among all instances. */
  readonly begin: (id: string, task: string, holder: string) => Promise<BeginResult>;
  /**
   * Marks the run and renews its lease, if the holder has not lost it. A later `begin` reports the mark, so a holder that
   * acts only after it has marked the run never acts behind the back of another.
   *
   * @param task - If the server has lost its data, the run is stored again with this task. With null it stays lost, because
   *   the holder may have lost it before the server did.
   * @returns false if the lease has expired by the server's clock, or the run has another holder, none, or an answer
   */
  readonly mark: (id: string, holder: string, task: string | null) => Promise<boolean>;
  /**
   * Renews the lease, also an expired one if nobody has begun the run since. Call it at least every third of `leaseMs`.
   *
   * @param task - As for `mark`.
   * @returns false if the run has another holder, or none
   */
  readonly keep: (id: string, holder: string, task: string | null) => Promise<boolean>;
  /**
   * Ends the run.
   *
   * @param answer - The first answer stays. With null, the run ends without one and can be begun again.
   * @param task - Stored again if the server has lost it.
   */
  readonly end: (id: string, holder: string, answer: string | null, task: string) => Promise<void>;
  /** Resolves to the milliseconds since which the server is known to have lost nothing; 0 when it has just lost data. */
  readonly age: () => Promise<number>;
}
