import type { Address } from '../../solana/address.ts';
import type { CompleteLaunch } from '../launch.ts';

interface GraduationRetry {
  readonly failures: number;
  /** Milliseconds of the graduator's clock. */
  readonly dueAt: number;
}

/** The pause after the first failure. It doubles with each further one. */
const FIRST_PAUSE_MS = 4_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** The longest pause for what has nothing to do with the launch, such as an empty wallet. */
const LONGEST_COMMON_PAUSE_MS = 60_000;

/**
 * Remembers which launches could not be taken further, and from when on they are tried again. Launches that have failed less often
 * come first, so those that cannot be migrated hold up no others, however many they are.
 */
export class GraduationRetries {
  readonly #retries = new Map<Address, GraduationRetry>();

  get size(): number {
    return this.#retries.size;
  }

  /**
   * Picks launches that are due: those with the fewest failures first, of these the ones that are worth most, and of equal ones in
   * the given order.
   *
   * @param isFree - Whether nothing is on its way for a launch.
   * @param toWorth - What a launch has raised, in dollars.
   */
  pickDue(
    launches: Iterable<CompleteLaunch>,
    isFree: (launch: CompleteLaunch) => boolean,
    toWorth: (launch: CompleteLaunch) => number,
    { now, limit }: { readonly now: number; readonly limit: number },
  ): readonly CompleteLaunch[] {
    const due: { readonly launch: CompleteLaunch; readonly failures: number; readonly worth: number }[] = [];
    for (const launch of launches) {
      const { failures, dueAt } = this.#retries.get(launch.pool) ?? { failures: 0, dueAt: now };
      if (dueAt <= now && isFree(launch)) due.push({ launch, failures, worth: toWorth(launch) });
    }
    return due
      .sort((one, other) => one.failures - other.failures || other.worth - one.worth)
      .slice(0, limit)
      .map(({ launch }) => launch);
  }

  /** @param isOwn - Whether the launch itself is why it failed, rather than what all launches need. */
  noteFailure(pool: Address, isOwn: boolean, now: number): void {
    const failures = (this.#retries.get(pool)?.failures ?? 0) + 1;
    const longest = isOwn ? LONGEST_PAUSE_MS : LONGEST_COMMON_PAUSE_MS;
    this.#retries.set(pool, {
      failures,
      dueAt: now + Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20), longest),
    });
  }

  /** Notes a step that was taken, so that the next one is not late for what failed before. */
  noteStep(pool: Address): void {
    this.#retries.delete(pool);
  }

  /** Forgets the launches that are not complete any more. */
  keepOnly(launches: Iterable<CompleteLaunch>): void {
    const kept = new Set<Address>();
    for (const { pool } of launches) kept.add(pool);
    for (const pool of this.#retries.keys()) if (!kept.has(pool)) this.#retries.delete(pool);
  }
}
