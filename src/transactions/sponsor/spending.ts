import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Database, Store } from '../../store/index.ts';
import { sponsored } from './sponsor-tables.ts';
import { takeAdvisoryLock } from '../../store/advisory-lock.ts';

/** Lamports that a sponsor spent within the last hour. */
export interface SponsoredSpending {
  readonly byTaker: bigint;
  readonly inAll: bigint;
}

/** The addresses of the sponsor and of the taker it pays for. */
export interface SpendingParties {
  readonly sponsor: string;
  readonly taker: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The row of `meta` that is locked while an amount is added. */
const LOCK = 'sponsored';
/** In place of a taker: the sum over all takers. */
const ALL = '';

/**
 * Unix milliseconds by the database's clock (`Store.now`), which all instances share. By the clock of an instance
 * that is ahead, the spending of the others would seem expired and would be deleted.
 */
export type DatabaseClock = (db: Database) => Promise<number>;

/**
 * Reads what was spent within the hour before `clock`. Spending is counted by the minute, and a minute counts until
 * all of it is older than an hour, so the sum is never too low.
 */
export async function readSponsoredWithinHour(
  db: Database,
  { sponsor, taker }: SpendingParties,
  clock: DatabaseClock,
): Promise<SponsoredSpending> {
  return spentSince(db, { sponsor, taker }, oldestMinute(await clock(db)));
}

/** Reads what was spent on all takers within the hour before `clock`. */
export async function readAllSponsoredWithinHour(
  db: Database,
  sponsor: string,
  clock: DatabaseClock,
): Promise<bigint> {
  const { inAll } = await spentSince(db, { sponsor, taker: ALL }, oldestMinute(await clock(db)));
  return inAll;
}

async function spentSince(
  db: Database,
  { sponsor, taker }: SpendingParties,
  oldest: number,
): Promise<SponsoredSpending> {
  const rows = await db
    .select({ taker: sponsored.taker, lamports: sql<string>`cast(sum(${sponsored.lamports}) as text)` })
    .from(sponsored)
    .where(
      and(
        eq(sponsored.sponsor, sponsor),
        inArray(sponsored.taker, [ALL, taker]),
        gte(sponsored.minute, oldest),
      ),
    )
    .groupBy(sponsored.taker);
  const of = (whom: string) => BigInt(rows.find((row) => row.taker === whom)?.lamports ?? 0);
  return { byTaker: of(taker), inAll: of(ALL) };
}

/** The result of spending; `Refusal` is the caller's own type. */
export type SpendingResult<Refusal> = { readonly ok: true } | { readonly ok: false; readonly error: Refusal };

/**
 * Adds to the spending, unless `refusal` refuses. Instances on one database take turns, and the sum survives the
 * process.
 * @param lamports - Amount to add for the taker and for all takers together.
 * @param refusal - Called with the spending so far; returns null to admit the new amount.
 * @returns `ok` if the lamports were added, otherwise what `refusal` returned
 *
 * @example
 * ```ts
 * import type { Store } from '../../store/index.ts';
 * import { type SpendingParties, spendSponsored } from './spending.ts';
 *
 * // Admits the amount unless the taker would cost the sponsor more than 0.001 SOL within an hour.
 * function spend(store: Store, parties: SpendingParties, lamports: bigint) {
 *   const spending = { lamports, clock: store.now };
 *   return spendSponsored(store, parties, spending, ({ byTaker }) =>
 *     byTaker + lamports > 1_000_000n ? 'too-much' : null,
 *   );
 * }
 * ```
 */
export function spendSponsored<Refusal>(
  store: Store,
  parties: SpendingParties,
  { lamports, clock }: { readonly lamports: bigint; readonly clock: DatabaseClock },
  refusal: (spent: SponsoredSpending) => Refusal | null,
): Promise<SpendingResult<Refusal>> {
  return store.transaction(async (db) => {
    await takeAdvisoryLock(db, LOCK);
    const now = await clock(db);
    const refused = refusal(await spentSince(db, parties, oldestMinute(now)));
    if (refused !== null) return { ok: false, error: refused };
    const { sponsor, taker } = parties;
    await db
      .delete(sponsored)
      .where(and(eq(sponsored.sponsor, sponsor), lt(sponsored.minute, oldestMinute(now))));
    const minute = Math.floor(now / MINUTE_MS);
    for (const whom of [ALL, taker]) {
      await db
        .insert(sponsored)
        .values({ sponsor, taker: whom, minute, lamports: sql`cast(${String(lamports)} as bigint)` })
        .onConflictDoUpdate({
          target: [sponsored.sponsor, sponsored.taker, sponsored.minute],
          set: { lamports: sql`${sponsored.lamports} + excluded.lamports` },
        });
    }
    return { ok: true };
  });
}

/**
 * Subtracts an amount that was counted within the hour and was not spent after all. The oldest minutes are reduced
 * first, so that the spending of newer minutes stays counted long enough. Amounts that are no longer counted are not
 * subtracted.
 */
export function giveBackSponsored(
  store: Store,
  { sponsor, taker }: SpendingParties,
  { lamports, clock }: { readonly lamports: bigint; readonly clock: DatabaseClock },
): Promise<void> {
  return store.transaction(async (db) => {
    await takeAdvisoryLock(db, LOCK);
    const oldest = oldestMinute(await clock(db));
    for (const whom of [ALL, taker]) {
      const ofWhom = and(eq(sponsored.sponsor, sponsor), eq(sponsored.taker, whom));
      const rows = await db
        .select({
          minute: sponsored.minute,
          lamports: sql<string>`cast(${sponsored.lamports} as text)`,
        })
        .from(sponsored)
        .where(and(ofWhom, gte(sponsored.minute, oldest)))
        .orderBy(asc(sponsored.minute));
      let left = lamports;
      for (const row of rows) {
        if (left === 0n) break;
        const counted = BigInt(row.lamports);
        const taken = counted < left ? counted : left;
        left -= taken;
        await db
          .update(sponsored)
          .set({ lamports: sql`cast(${String(counted - taken)} as bigint)` })
          .where(and(ofWhom, eq(sponsored.minute, row.minute)));
      }
    }
  });
}

function oldestMinute(now: number): number {
  return Math.floor((now - HOUR_MS) / MINUTE_MS);
}
