import type { NodeReading } from '../../chain/node-reading.ts';

/** A database that the instance keeps things in, for the operator's overview. */
export interface WatchedStore {
  readonly name: string;
  readonly kind: 'SQLite' | 'PostgreSQL' | 'Valkey';
  /** The name of the part of `/readyz` that says whether it works. */
  readonly part: string;
  /** What it holds, as a sentence. */
  readonly meaning: string;
  /** Asks it for its size in bytes; null where it says none. It may take long, or reject. */
  readonly measure: () => Promise<number | null>;
}

/** A node of the network that the instance calls, for the operator's overview. */
export interface WatchedNode {
  readonly name: string;
  /** Its host: never its path, query or user information, which may hold a key. */
  readonly host: string;
  /** What it is for, as a sentence. */
  readonly meaning: string;
  /** Whether the slots that this instance knows come from it. */
  readonly isSource: boolean;
  /** Returns what this process has seen of it. Null: nothing is counted, because it is this instance's own. */
  readonly read: () => NodeReading | null;
}
