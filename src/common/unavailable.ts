export interface UnavailableOptions {
  readonly retryAfterSeconds?: number;
  /** For the log; the client does not see it. */
  readonly cause?: unknown;
}

/**
 * Something that is needed does not answer for now, or has no room: the same request may succeed a little later.
 * Answered with 503 and `retry-after`; the message is for the client.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  readonly retryAfterSeconds: number;

  constructor(message: string, { retryAfterSeconds = 1, cause }: UnavailableOptions = {}) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Null when what was waited for does not answer for now. */
export async function unlessUnavailable<T>(waited: Promise<T>): Promise<T | null> {
  try {
    return await waited;
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}
