import { and, asc, eq, gt, lte, or } from 'drizzle-orm';
import { Unavailable } from '../../../../common/unavailable.ts';
import type { Address } from '../../../../solana/address.ts';
import type { Store } from '../../../../store/index.ts';
import { earnMovements, earnTotals } from './earn-tables.ts';

/** What an owner moved since the start of a history, in atoms. */
export interface Totals {
  readonly deposited: bigint;
  readonly withdrawn: bigint;
  readonly minted: bigint;
  readonly burned: bigint;
}

/** The owner and the earn token whose movements are added up. */
export interface Mover {
  /** Genesis hash. */
  readonly network: string;
  readonly owner: Address;
  readonly receiptMint: Address;
}

/** Slots later than `after`, up to and with `upTo`. */
export interface SlotRange {
  readonly after: bigint;
  readonly upTo: bigint;
  /** No further movements will be recorded for earlier slots. */
  readonly settledBefore: bigint;
}

type Movement = typeof earnMovements.$inferSelect;

/** The number of movements that are read at once. */
const PAGE = 1_000;
/**
 * The most pages per request, so that one request reads at most 20,000 movements. Its sum is kept, and the next request
 * continues from there.
 */
const MAX_PAGES = 20;
/** A sum of fewer movements than this is not stored, but added up again. */
const WORTH_KEEPING = 200;
const NOTHING: Totals = { deposited: 0n, withdrawn: 0n, minted: 0n, burned: 0n };

/**
 * Adds up what an owner moved in one earn token within a range of slots. It begins with the sum that an earlier request
 * kept, so that each movement is read a few times only, however many there are.
 * @throws Unavailable when there are more new movements than one request reads; the next request continues
 */
export async function computeTotals(store: Store, mover: Mover, range: SlotRange): Promise<Totals> {
  const kept = await readStoredTotals(store, mover, range);
  let { totals, upTo } = kept;
  let settled = kept;
  let [count, settledCount] = [0, 0];
  let last: Movement | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const rows: readonly Movement[] = await readMovementsAfter(store, mover, { upTo, last, end: range.upTo });
    for (const row of rows) {
      const slot = BigInt(row.slot);
      // All movements of earlier slots have been added.
      if (last !== null && row.slot !== last.slot && slot <= range.settledBefore) {
        settled = { totals, upTo: slot - 1n };
        settledCount = count;
      }
      totals = addMovement(totals, row);
      count++;
      last = row;
    }
    if (rows.length === PAGE) continue;
    if (last !== null && BigInt(last.slot) < range.settledBefore) {
      settled = { totals, upTo: BigInt(last.slot) };
      settledCount = count;
    }
    if (settledCount >= WORTH_KEEPING) await keep(store, mover, range.after, settled);
    return totals;
  }
  if (settledCount > 0) await keep(store, mover, range.after, settled);
  throw new Unavailable(
    `the wallet has more than ${PAGE * MAX_PAGES} movements that have not been added up yet; ask again to go on`,
  );
}

/** Totals of all movements up to a slot. */
interface TotalsUpTo {
  readonly totals: Totals;
  readonly upTo: bigint;
}

/** Returns nothing, up to the beginning of the range, where no earlier sum belongs to it. */
async function readStoredTotals(
  store: Store,
  { network, owner, receiptMint }: Mover,
  { after, upTo }: SlotRange,
): Promise<TotalsUpTo> {
  const [row] = await store.db
    .select()
    .from(earnTotals)
    .where(
      and(
        eq(earnTotals.network, network),
        eq(earnTotals.owner, owner),
        eq(earnTotals.receiptMint, receiptMint),
        eq(earnTotals.afterSlot, Number(after)),
        lte(earnTotals.upToSlot, Number(upTo)),
      ),
    );
  if (row === undefined) return { totals: NOTHING, upTo: after };
  return {
    totals: {
      deposited: BigInt(row.deposited),
      withdrawn: BigInt(row.withdrawn),
      minted: BigInt(row.minted),
      burned: BigInt(row.burned),
    },
    upTo: BigInt(row.upToSlot),
  };
}

/** @param from - Movements after `last`, or else of slots after `upTo`, up to and with `end`. */
function readMovementsAfter(
  store: Store,
  { network, owner, receiptMint }: Mover,
  { upTo, last, end }: { readonly upTo: bigint; readonly last: Movement | null; readonly end: bigint },
): Promise<readonly Movement[]> {
  const { slot, signature, place } = earnMovements;
  const behind =
    last === null
      ? gt(slot, Number(upTo))
      : or(
          gt(slot, last.slot),
          and(eq(slot, last.slot), gt(signature, last.signature)),
          and(eq(slot, last.slot), eq(signature, last.signature), gt(place, last.place)),
        );
  return store.db
    .select()
    .from(earnMovements)
    .where(
      and(
        eq(earnMovements.network, network),
        eq(earnMovements.owner, owner),
        eq(earnMovements.receiptMint, receiptMint),
        behind,
        lte(slot, Number(end)),
      ),
    )
    .orderBy(asc(slot), asc(signature), asc(place))
    .limit(PAGE);
}

function addMovement(totals: Totals, { kind, assets, shares }: Movement): Totals {
  const { deposited, withdrawn, minted, burned } = totals;
  return kind === 'deposit'
    ? { ...totals, deposited: deposited + BigInt(assets), minted: minted + BigInt(shares) }
    : { ...totals, withdrawn: withdrawn + BigInt(assets), burned: burned + BigInt(shares) };
}

async function keep(store: Store, mover: Mover, after: bigint, { totals, upTo }: TotalsUpTo): Promise<void> {
  const sums = {
    afterSlot: Number(after),
    upToSlot: Number(upTo),
    deposited: String(totals.deposited),
    withdrawn: String(totals.withdrawn),
    minted: String(totals.minted),
    burned: String(totals.burned),
  };
  await store.db
    .insert(earnTotals)
    .values({ network: mover.network, owner: mover.owner, receiptMint: mover.receiptMint, ...sums })
    .onConflictDoUpdate({
      target: [earnTotals.network, earnTotals.owner, earnTotals.receiptMint],
      set: sums,
    });
}
