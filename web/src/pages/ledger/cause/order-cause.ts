import type { LedgerOrder, OrderBid, OrderRequestEntry } from '../source/ledger-shapes.ts';

/** Whose doing the end of an order was. */
export type CauseParty =
  | 'taker'
  | 'payer'
  | 'maker'
  | 'market'
  | 'network'
  | 'sponsor'
  | 'sluice'
  | 'unclear'
  | 'nobody';

/** Why an order ended as it did, for people. */
export interface OrderCause {
  readonly tone: 'good' | 'warning' | 'danger' | 'accent';
  /** What happened, in one sentence, and whose doing it was. */
  readonly sentence: string;
  readonly party: CauseParty;
  /** Who paid what, in one sentence. */
  readonly paid: string;
  /** What to do; null if there is nothing to do. */
  readonly advice: string | null;
}

/** Why the transaction failed, as its decoding says it. */
export interface ChainFailure {
  readonly kind: string;
  readonly sentence: string;
  readonly advice: string;
  readonly feeLamports: bigint;
}

/** What is known of an order. Null stands for what is not known, or not shown to this reader. */
export interface OrderFacts {
  readonly order: LedgerOrder;
  /** The fill of the maker that won. */
  readonly fill: OrderBid['fill'];
  /** The requests of the log about it, newest first; null while they are not read, or cannot be. */
  readonly requests: readonly OrderRequestEntry[] | null;
  readonly failure: ChainFailure | null;
  /** Unix milliseconds. */
  readonly now: number;
  /** Writes an amount with its token. */
  readonly formatAmount: (mint: string, atoms: bigint) => string;
}

/** What each party is called at the head of a page. */
export const PARTY_WORDS: Readonly<Record<CauseParty, string>> = {
  taker: 'The taker’s side: its wallet, or the app that sends for it',
  payer: 'The wallet of the integrator that pays the network',
  maker: 'The maker',
  market: 'The market: prices or balances moved between the quote and the swap. Nobody did anything wrong',
  network: 'The network, or the node that carries transactions to it',
  sponsor: 'The sponsor of this instance',
  sluice: 'This instance of Sluice',
  unclear: 'That cannot be told from what is kept',
  nobody: 'Nobody: it has not failed',
};

export const NOTHING_PAID = 'Nobody paid anything: no transaction of this order is on the chain.';

/** Writes an amount of the network's token. */
export function formatSol(facts: Pick<OrderFacts, 'formatAmount'>, lamports: bigint): string {
  return facts.formatAmount('So11111111111111111111111111111111111111112', lamports);
}

/** Whether another wallet than the taker's pays the network, and may be the one that lacks lamports. */
export function isPaidByOther({ payer, taker }: Pick<LedgerOrder, 'payer' | 'taker'>): boolean {
  return payer !== null && payer !== taker;
}

/** Who pays the network, as the subject of a sentence. */
export function namePayer({ paidBy }: LedgerOrder): string {
  switch (paidBy) {
    case 'taker':
      return 'The taker';
    case 'sponsor':
      return 'The sponsor';
    case 'maker':
      return 'The maker';
    case 'payer':
      return 'The integrator’s wallet';
    default:
      return 'The fee payer';
  }
}
