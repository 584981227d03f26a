import { SYSTEM_TIMERS, type Timers, wait } from '../../common/ports/timers.ts';
import { getInnermostReason } from '../sql/sql.ts';
import { isTransient } from './postgres-client.ts';

const ATTEMPTS = 5;
const PAUSE_MS = 1_000;

export interface TryAgainOptions {
  /** Called before each further attempt, with the reason why the last one failed. */
  readonly onRetry: (reason: string) => void;
  /** Starts a timer. Default: that of the system. */
  readonly after?: Timers['after'];
}

/**
 * Does a step of a start. When it has lost its connection to PostgreSQL or waited for it too long, it is done again, up to
 * five times in total. The server ends the session of an instance that is silent inside a transaction for some seconds, for
 * example because its machine was suspended. The transaction is then undone, unless only its confirmation was lost.
 *
 * @param step - Is called again even if it succeeded and only its confirmation was lost. It must then change nothing.
 * @throws What the last attempt threw, or the first one that failed for another reason.
 *
 * @example
 * ```ts
 * import { tryAgainWhenTransient } from './try-again.ts';
 *
 * declare function migrateTables(): Promise<void>;
 *
 * await tryAgainWhenTransient(migrateTables, { onRetry: (reason) => console.warn(`${reason}; migrating again`) });
 * ```
 */
export async function tryAgainWhenTransient<T>(
  step: () => Promise<T>,
  { onRetry, after = SYSTEM_TIMERS.after }: TryAgainOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      onRetry(getInnermostReason(error));
      await wait(PAUSE_MS, { after });
    }
  }
}
