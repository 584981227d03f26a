/**
 * Leases on names. One instance at a time holds a lease, for as long as it renews it. The leases of a process that was
 * killed expire after some seconds. Time is the server's. Every method rejects with `Unavailable` while the server does
 * not answer.
 */
export interface Leases {
  /** The duration of a lease in milliseconds. */
  readonly leaseMs: number;
  /** Takes the lease, even if another instance holds it. Resolves to the instance that held it before, or null when no other did. */
  readonly take: (name: string) => Promise<string | null>;
  /** Takes the lease unless another instance holds it. Resolves to that instance, or null when the lease was taken. */
  readonly claim: (name: string) => Promise<string | null>;
  /** Claims or renews these leases. Resolves to the holders of all leases that any instance holds, by name. */
  readonly keep: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Resolves to the instance that holds the lease, or null when none does. */
  readonly holder: (name: string) => Promise<string | null>;
  /** Gives up the lease. Does nothing when this instance does not hold it. */
  readonly release: (name: string) => Promise<void>;
}
