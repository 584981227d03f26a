import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Database, Store } from '../../store/index.ts';
import { sponsored } from '../../store/schema.ts';
import { takeAdvisoryLock } from '../../store/advisory-lock.ts';

/** Lamports that a sponsor spent within the last hour. */
export interface Sponsored {
  readonly byTaker: bigint;
  readonly inAll: bigint;
}

/** Whose spending, and on whom: addresses. */
export interface SponsoredParties {
  readonly sponsor: string;
  readonly taker: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The entry of `meta` that is locked while somebody spends. */
const LOCK = 'sponsored';
/** Stands for all takers together. */
const ALL = '';

/**
 * Unix milliseconds by the database's clock (`Store.now`), which all instances share. By the clock of an instance that is
 * ahead, everything that the others spent would be over, and would be deleted.
 */
export type DatabaseClock = (db: Database) => Promise<number>;

/**
 * What was spent within the hour before `clock`. It is counted by the minute, a minute as long as any
 * of it is within the hour, so never too little.
 */
export async function sponsoredWithinHour(
  db: Database,
  { sponsor, taker }: SponsoredParties,
  clock: DatabaseClock,
): Promise<Sponsored> {
  return spentSince(db, { sponsor, taker }, oldestMinute(await clock(db)));
}

async function spentSince(
  db: Database,
  { sponsor, taker }: SponsoredParties,
  oldest: number,
): Promise<Sponsored> {
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

/**
 * Adds to what was spent, unless `refusal` says why not of what was spent before. One at a time among all instances on
 * the database, and kept whatever becomes of the process.
 * @returns what `refusal` said
 */
export function spendSponsored(
  store: Store,
  parties: SponsoredParties,
  { lamports, clock }: { readonly lamports: bigint; readonly clock: DatabaseClock },
  refusal: (spent: Sponsored) => string | null,
): Promise<string | null> {
  return store.transaction(async (db) => {
    await takeAdvisoryLock(db, LOCK);
    const now = await clock(db);
    const refused = refusal(await spentSince(db, parties, oldestMinute(now)));
    if (refused !== null) return refused;
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
    return null;
  });
}

/**
 * Takes off again what was counted within the hour and turned out not to be spent. It is taken from the oldest minutes,
 * so that what others spent in newer ones stays counted for as long as it must. What is no longer counted is not taken
 * off.
 */
export function giveBackSponsored(
  store: Store,
  { sponsor, taker }: SponsoredParties,
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
