export interface UnavailableOptions {
  readonly retryAfterSeconds?: number;
  /** Written to the log. The client does not see it. */
  readonly cause?: unknown;
}

/**
 * Thrown when a dependency does not answer or has no capacity, so that the same request may succeed a little later. The
 * gateway answers it with 503, `retry-after` and the message.
 *
 * @example
 * ```ts
 * import { Unavailable } from './unavailable.ts';
 *
 * throw new Unavailable('the database does not answer', { retryAfterSeconds: 2 });
 * ```
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  readonly retryAfterSeconds: number;

  constructor(message: string, { retryAfterSeconds = 1, cause }: UnavailableOptions = {}) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Resolves like `waited`, or with null when it rejects with `Unavailable`. */
export async function waitUnlessUnavailable<T>(waited: Promise<T>): Promise<T | null> {
  try {
    return await waited;
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}
