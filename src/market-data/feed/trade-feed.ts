import type { Chain } from '../../chain/chain.ts';
import type { ExecutedTransactions } from '../../chain/executed-transactions.ts';
import type { ReportedTransaction, ReportedTransactions } from '../../chain/reported-transactions.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Venue } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import type { Trade } from '../trades/trade.ts';
import { Sandwiches } from './sandwiches.ts';
import { type SwapReader, findSwaps } from './swaps.ts';

/** A trade before its value is known. */
export type UnvaluedTrade = Omit<Trade, 'dollars'>;

export interface TradeFeedOptions {
  /** `executed`: the network passes on every transaction. `reported`: a node reports the transactions that it confirmed. */
  readonly source:
    | { readonly kind: 'executed'; readonly transactions: ExecutedTransactions }
    | { readonly kind: 'reported'; readonly transactions: ReportedTransactions };
  readonly pools: Pick<Pools, 'find'>;
  readonly venues: readonly Venue[];
  /** The programs in which market makers fill swaps, with the labels of their trades. */
  readonly fillPrograms: Readonly<Record<Address, string>>;
  /** Called with each trade, in the order in which they were executed. */
  readonly onTrade: (trade: UnvaluedTrade) => void;
}

const READ_AT_ONCE = 1_000;

/** Reads the trades of a network from its transactions. */
export class TradeFeed {
  readonly #options: TradeFeedOptions;
  readonly #reader: SwapReader;
  readonly #sandwiches = new Sandwiches();
  readonly #stop: () => void;
  /** Transactions that arrived while earlier ones are still read; null when none are. */
  #held: ReportedTransaction[] | null = [];

  /** Begins to watch. What arrives is held until `catchUp` is called. */
  constructor(options: TradeFeedOptions) {
    const { source, pools, venues, fillPrograms } = options;
    this.#options = options;
    const programs = venues.flatMap((venue) =>
      [venue.program, venue.routeProgram ?? venue.program].map((program) => [program, venue] as const),
    );
    this.#reader = {
      venues: new Map(programs),
      fillPrograms: new Map(Object.entries(fillPrograms) as [Address, string][]),
      poolAt: (address) => pools.find(address),
    };
    const takeOrHold = (transaction: ReportedTransaction) => {
      if (this.#held === null) this.take(transaction);
      else this.#held.push(transaction);
    };
    this.#stop =
      source.kind === 'reported'
        ? source.transactions.watch(this.programs(), takeOrHold)
        : source.transactions.watch(this.programs(), (transactions) => transactions.forEach(takeOrHold));
  }

  /**
   * Passes on the trades after a slot, as far back as the network knows them, and then new ones. If a node reports the
   * transactions, it is not asked for earlier ones.
   *
   * @param slot - Null: only new trades are passed on.
   * @throws ChainUnavailable if the network does not answer
   */
  async catchUp(slot: bigint | null): Promise<void> {
    const taken = new Set<string>();
    const { source } = this.#options;
    for (
      let after = source.kind === 'executed' ? slot : null;
      after !== null && source.kind === 'executed';
    ) {
      const transactions = await source.transactions.after(after, this.programs(), READ_AT_ONCE);
      for (const transaction of transactions) {
        this.take(transaction);
        taken.add(transaction.signature);
      }
      after = transactions.at(-1)?.slot ?? null;
    }
    const held = this.#held ?? [];
    this.#held = null;
    for (const transaction of held) if (!taken.has(transaction.signature)) this.take(transaction);
  }

  /** The programs whose transactions have trades. */
  programs(): readonly Address[] {
    return [...this.#reader.venues.keys(), ...this.#reader.fillPrograms.keys()];
  }

  /** Reads the trades of one transaction. */
  take(transaction: ReportedTransaction): void {
    const { signature, slot, time } = transaction;
    for (const swap of findSwaps(this.#reader, transaction)) {
      this.#options.onTrade({
        ...swap,
        signature,
        slot,
        time: Number(time),
        // Sandwiches show in the order of a slot's transactions, which a report does not have.
        isSandwich: this.#options.source.kind === 'executed' ? this.#sandwiches.add(slot, swap) : null,
      });
    }
  }

  close(): void {
    this.#stop();
  }
}

/** Returns the source of a network's trades; null when there is none. */
export function findTradeSource({
  executed,
  reported,
}: Pick<Chain, 'executed' | 'reported'>): TradeFeedOptions['source'] | null {
  if (executed !== undefined) return { kind: 'executed', transactions: executed };
  return reported === undefined ? null : { kind: 'reported', transactions: reported };
}
