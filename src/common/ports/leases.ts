/**
 * Names of which each belongs to one instance at a time, for as long as that instance keeps it: what a process that was
 * killed had is free some seconds later. All by the server's clock; every method rejects with `Unavailable` while there
 * is no server.
 */
export interface Leases {
  /** Milliseconds for which a name is kept. */
  readonly leaseMs: number;
  /** Has the name from now on, whoever had it; resolves to the other instance that did, null when none did. */
  readonly take: (name: string) => Promise<string | null>;
  /** Has the name unless another instance does; resolves to that one, null when the name is this instance's. */
  readonly claim: (name: string) => Promise<string | null>;
  /** Claims all of the names, and resolves to who has which: of every name that anybody has. */
  readonly keep: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Null when nobody has it. */
  readonly holder: (name: string) => Promise<string | null>;
  /** Nothing happens when the name is not this instance's. */
  readonly release: (name: string) => Promise<void>;
}
