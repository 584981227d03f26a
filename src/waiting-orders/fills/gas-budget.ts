import { and, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import { compareTexts } from '../../common/compare-texts.ts';
import { GatheredWork } from '../../common/work/gathered-work.ts';
import type { Address } from '../../solana/address.ts';
import type { Database, Store } from '../../store/index.ts';
import { gasSpent } from '../store/order-tables.ts';

/** Lamports that fills may cost in a day: the settings `gas-wallet-lamports-per-day` and `gas-lamports-per-day`. */
export interface GasLimits {
  /** For the orders of one wallet. */
  readonly perWallet: bigint;
  /** For all fills together. */
  readonly inAll: bigint;
}

/** Lamports that were counted for a fill. */
export interface GasCharge {
  readonly wallet: Address;
  readonly lamports: bigint;
  /** The day of UTC by which they count, as days since the Unix epoch. */
  readonly day: number;
}

/** Why no more is spent today. */
export interface GasRefusal {
  /** Whether the limit of the wallet is reached, or that of all fills. */
  readonly kind: 'wallet-limit' | 'total-limit';
  readonly spent: bigint;
  readonly limit: bigint;
}

export type GasSpending =
  | { readonly ok: true; readonly charge: GasCharge }
  | { readonly ok: false; readonly refusal: GasRefusal };

/** Lamports that fills cost on a day, or may have cost. */
export interface GasOfDay {
  readonly day: number;
  readonly byWallet: bigint;
  readonly inAll: bigint;
}

const DAY_MS = 86_400_000;
/** In place of a wallet: the sum over all wallets, for the fills of orders. */
const EVERY_WALLET = '';
/** Days before today that are kept, because lamports of yesterday may still be given back. */
const KEPT_DAYS = 1;
/** Fills that are counted in one transaction. A commit of SQLite waits for the disk, however many they are. */
const MAX_TOGETHER = 64;

/**
 * Limits what fills cost the gas wallet in a day of UTC, by the clock of the store. What is spent is in the store: instances on
 * one database keep the limits together, and a restart forgets nothing. A fill is counted at the most that it can cost before
 * it is signed, so whatever may have been signed is counted.
 */
export class GasBudget {
  readonly #payer: Address;
  readonly #limits: GasLimits;
  readonly #store: Store;
  readonly #sumKey: string;
  readonly #spending = new GatheredWork<Spent, GasSpending>((all) => this.#spendTogether(all), MAX_TOGETHER);
  readonly #returning = new GatheredWork<GasCharge, undefined>(
    (all) => this.#giveBackTogether(all),
    MAX_TOGETHER,
  );

  /**
   * @param payer - The address of the gas wallet.
   * @param purpose - What the wallet pays for. Each purpose has a sum of its own. Default: the fills of orders.
   */
  constructor(payer: Address, limits: GasLimits, store: Store, purpose = EVERY_WALLET) {
    this.#payer = payer;
    this.#limits = limits;
    this.#store = store;
    this.#sumKey = purpose;
  }

  /**
   * Counts lamports, unless a limit forbids it. Calls that run at the same time, on any instance, see each other's.
   * @param wallet - The wallet of the order.
   * @throws Error when the store does not answer; then nothing may be signed
   */
  spend(wallet: Address, lamports: bigint): Promise<GasSpending> {
    return this.#spending.add({ wallet, lamports });
  }

  /** Counts several fills in one transaction; one by one, if together they are more than all fills may cost. */
  async #spendTogether(all: readonly Spent[]): Promise<readonly GasSpending[]> {
    const spendings = new Map<Spent, GasSpending>();
    try {
      await this.#store.transaction((db) => this.#spendAll(db, all, spendings));
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      const [only, ...others] = all;
      if (only === undefined) return [];
      if (others.length === 0) return [await this.#refuse(only, error)];
      const oneByOne: GasSpending[] = [];
      for (const one of all) oneByOne.push(...(await this.#spendTogether([one])));
      return oneByOne;
    }
    return Promise.all(
      all.map((one) => {
        const spending = spendings.get(one);
        return spending ?? this.#refuse(one, new LimitReached('wallet-limit', this.#limits.perWallet));
      }),
    );
  }

  /** @throws LimitReached when together they are more than all fills may cost */
  async #spendAll(db: Database, all: readonly Spent[], spendings: Map<Spent, GasSpending>): Promise<void> {
    const { perWallet, inAll } = this.#limits;
    const day = await this.#today(db);
    let sum = 0n;
    // All transactions write the rows of wallets in one order, and last the row that everybody shares, so none waits for another
    // that waits for it.
    const inOrder = [...all].sort((one, other) => compareTexts(one.wallet, other.wallet));
    for (const one of inOrder) {
      const { wallet, lamports } = one;
      try {
        await this.#add(db, { wallet, day }, lamports, { kind: 'wallet-limit', limit: perWallet });
      } catch (error) {
        if (error instanceof LimitReached) continue;
        throw error;
      }
      spendings.set(one, { ok: true, charge: { wallet, lamports, day } });
      sum += lamports;
    }
    if (sum === 0n) return;
    const total = { kind: 'total-limit', limit: inAll } as const;
    const spent = await this.#add(db, { wallet: this.#sumKey, day }, sum, total);
    if (spent === sum) await this.#removeOld(db, day);
  }

  async #refuse({ wallet }: Spent, { kind, limit }: LimitReached): Promise<GasSpending> {
    const spent = await this.today(wallet);
    return {
      ok: false,
      refusal: { kind, limit, spent: kind === 'wallet-limit' ? spent.byWallet : spent.inAll },
    };
  }

  /**
   * Subtracts lamports that were counted and not spent, once it is known what a fill cost. Call it at most once for a charge.
   * @param lamports - How many were not spent, at most those of the charge.
   */
  async giveBack(charge: GasCharge, lamports: bigint): Promise<void> {
    if (lamports > 0n) await this.#returning.add({ ...charge, lamports });
  }

  async #giveBackTogether(all: readonly GasCharge[]): Promise<readonly undefined[]> {
    const rows = new Map<string, { readonly row: GasRow; lamports: bigint }>();
    for (const { wallet, day, lamports } of all) {
      for (const row of [
        { wallet, day },
        { wallet: this.#sumKey, day },
      ]) {
        const key = `${row.wallet} ${day}`;
        const known = rows.get(key);
        if (known === undefined) rows.set(key, { row, lamports });
        else known.lamports += lamports;
      }
    }
    const inOrder = [...rows.values()].sort(
      ({ row: one }, { row: other }) =>
        Number(one.wallet === this.#sumKey) - Number(other.wallet === this.#sumKey) ||
        compareTexts(one.wallet, other.wallet),
    );
    await this.#store.transaction(async (db) => {
      for (const { row, lamports } of inOrder) {
        await db
          .update(gasSpent)
          .set({ lamports: sql`${gasSpent.lamports} - cast(${String(lamports)} as bigint)` })
          .where(this.#isRow(row));
      }
    });
    return all.map(() => undefined);
  }

  /** Reads what was counted today. */
  async today(wallet: Address): Promise<GasOfDay> {
    const { db } = this.#store;
    return this.#read(db, wallet, await this.#today(db));
  }

  get limits(): GasLimits {
    return this.#limits;
  }

  /** Reads what was counted today for all wallets together. */
  async spentToday(): Promise<bigint> {
    const { db } = this.#store;
    const [row] = await db
      .select({ lamports: sql<string>`cast(${gasSpent.lamports} as text)` })
      .from(gasSpent)
      .where(this.#isRow({ wallet: this.#sumKey, day: await this.#today(db) }));
    return BigInt(row?.lamports ?? 0);
  }

  async #today(db: Database): Promise<number> {
    return Math.floor((await this.#store.now(db)) / DAY_MS);
  }

  /**
   * Adds lamports to a row, and returns what it holds then.
   * @throws LimitReached when that would be more than the limit
   */
  async #add(
    db: Database,
    { wallet, day }: GasRow,
    lamports: bigint,
    { kind, limit }: Pick<GasRefusal, 'kind' | 'limit'>,
  ): Promise<bigint> {
    if (lamports > limit) throw new LimitReached(kind, limit);
    const before = sql`cast(${String(limit - lamports)} as bigint)`;
    const [row] = await db
      .insert(gasSpent)
      .values({ payer: this.#payer, wallet, day, lamports: sql`cast(${String(lamports)} as bigint)` })
      .onConflictDoUpdate({
        target: [gasSpent.payer, gasSpent.wallet, gasSpent.day],
        set: { lamports: sql`${gasSpent.lamports} + excluded.lamports` },
        setWhere: lte(gasSpent.lamports, before),
      })
      .returning({ lamports: sql<string>`cast(${gasSpent.lamports} as text)` });
    if (row === undefined) throw new LimitReached(kind, limit);
    return BigInt(row.lamports);
  }

  async #removeOld(db: Database, day: number): Promise<void> {
    await db.delete(gasSpent).where(and(eq(gasSpent.payer, this.#payer), lt(gasSpent.day, day - KEPT_DAYS)));
  }

  async #read(db: Database, wallet: Address, day: number): Promise<GasOfDay> {
    const rows = await db
      .select({ wallet: gasSpent.wallet, lamports: sql<string>`cast(${gasSpent.lamports} as text)` })
      .from(gasSpent)
      .where(
        and(
          eq(gasSpent.payer, this.#payer),
          inArray(gasSpent.wallet, [wallet, this.#sumKey]),
          eq(gasSpent.day, day),
        ),
      );
    const of = (whom: string) => BigInt(rows.find((row) => row.wallet === whom)?.lamports ?? 0);
    return { day, byWallet: of(wallet), inAll: of(this.#sumKey) };
  }

  #isRow({ wallet, day }: GasRow) {
    return and(eq(gasSpent.payer, this.#payer), eq(gasSpent.wallet, wallet), eq(gasSpent.day, day));
  }
}

/** Lamports that a fill may cost. */
interface Spent {
  readonly wallet: Address;
  readonly lamports: bigint;
}

interface GasRow {
  readonly wallet: string;
  readonly day: number;
}

/** Ends the transaction that counts, so that nothing of it stays counted. */
class LimitReached extends Error {
  readonly kind: GasRefusal['kind'];
  readonly limit: bigint;

  constructor(kind: GasRefusal['kind'], limit: bigint) {
    super(`the ${kind} of ${limit} lamports is reached`);
    this.kind = kind;
    this.limit = limit;
  }
}

/** Returns the refusal as a sentence for the operator. */
export function describeGasRefusal({ kind, spent, limit }: GasRefusal, wallet: Address): string {
  const whose = kind === 'wallet-limit' ? `the orders of ${wallet}` : 'all orders together';
  return `the fills of ${whose} have cost ${spent} of ${limit} lamports today, which leaves too little for this one`;
}
