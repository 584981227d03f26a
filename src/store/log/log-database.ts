import type { HealthCheck, RemoteHealthCheck } from '../../common/ports/health-check.ts';

/** A statement with the parameters `$1`, `$2`, ...; numbers must be whole. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly (string | number | null)[];
  /**
   * JSON of an array of arrays. The statement runs once for each of them, with its elements as parameters. Only SQLite
   * supports this, where it takes a third of the time of parsing JSON in SQL. The bytes may be shared memory, which must
   * not change until the statement has run.
   */
  readonly rows?: Uint8Array;
}

/** Thrown when a row violates a constraint of the tables, so that writing it again would fail again. */
export class ConstraintViolated extends Error {
  override readonly name = 'ConstraintViolated';
}

/**
 * The database of the request log and its counts, which receives many writes. It is separate from the store, so that
 * neither waits for the other, and it never works on the main thread.
 */
export interface LogDatabase {
  readonly kind: 'sqlite' | 'postgresql';
  /** Resolves to the rows, each in the order of its columns. Whole numbers may be returned as text. */
  readonly query: (text: string, parameters: Statement['parameters']) => Promise<unknown[][]>;
  /**
   * Runs the statements in one transaction.
   *
   * @throws ConstraintViolated when a row violates a constraint.
   */
  readonly write: (statements: readonly Statement[]) => Promise<void>;
  /** Resolves to the database's time in Unix milliseconds, which is the same for all instances. */
  readonly now: () => Promise<number>;
  readonly unhealthy: HealthCheck | RemoteHealthCheck;
  readonly close: () => Promise<void>;
}
