/** What `begin` finds. */
export type Beginning =
  /** The run is the caller's; `isMarked` when a holder before it has marked it. */
  | { readonly kind: 'begun'; readonly isMarked?: true }
  /** Somebody else holds it, and lives. */
  | { readonly kind: 'held' }
  | { readonly kind: 'ended'; readonly answer: string };

/**
 * Tasks that any instance may run, each by one at a time until it has an answer. Whoever runs one holds it for a few
 * seconds and keeps it while it lives, so that a task of a process that was killed goes to another. All by the
 * server's clock; every method rejects with `Unavailable` while there is no server.
 */
export interface SharedRuns {
  /** Keeps a task until it is begun. */
  readonly put: (id: string, task: string) => Promise<void>;
  /** Null when there is no such task any more. */
  readonly get: (id: string) => Promise<string | null>;
  /** What `begin` would find, without beginning; `free`: it would begin. */
  readonly look: (id: string) => Promise<Exclude<Beginning, { kind: 'begun' }> | { readonly kind: 'free' }>;
  /** @param holder names this attempt among all instances */
  readonly begin: (id: string, task: string, holder: string) => Promise<Beginning>;
  /** Whoever begins the run after this finds that it is marked. */
  readonly mark: (id: string, holder: string) => Promise<void>;
  /**
   * To be called at least every third of the lease.
   * @param task written again when the server has forgotten it, as after a restart
   */
  readonly keep: (id: string, holder: string, task: string) => Promise<void>;
  /**
   * @param answer null: the run ends without one, and may begin again. The first answer stays.
   * @param task written again when the server has forgotten it
   */
  readonly end: (id: string, holder: string, answer: string | null, task: string) => Promise<void>;
  /** Milliseconds for which the server has forgotten nothing, as far as is known; 0 when that begins now. */
  readonly age: () => Promise<number>;
}
