import type { Work } from '../common/work/work.ts';
import type { Address } from '../solana/address.ts';

/** The programs on the chain that hold orders. */
export const ORDER_PROGRAMS = ['limit-order', 'dca'] as const;
export type OrderProgram = (typeof ORDER_PROGRAMS)[number];

/** A fill of an order, as the program reported it. Amounts are atoms. */
export interface ProgramOrderTrade {
  readonly keeper: Address;
  readonly inputAmount: bigint;
  /** What the maker received of the output, without the fee. */
  readonly outputAmount: bigint;
  /** Of the output. */
  readonly feeAmount: bigint;
  readonly signature: string;
  /** Unix second. */
  readonly at: bigint;
}

/** What is known of an order of any program. Amounts are atoms, times are Unix seconds. */
interface ProgramOrderFacts {
  readonly address: Address;
  readonly maker: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly createdAt: bigint;
  readonly updatedAt: bigint;
  /** Null for an order that was placed before anybody followed the program here. */
  readonly openSignature: string | null;
  /** Null while the order is open. */
  readonly closeSignature: string | null;
  /** The newest first, and no more than `MAX_SHOWN_TRADES` of them. */
  readonly trades: readonly ProgramOrderTrade[];
}

/** The most trades that are shown of one order. */
export const MAX_SHOWN_TRADES = 400;

/** An order that sells at its price. */
export interface ShownLimitOrder extends ProgramOrderFacts {
  readonly program: 'limit-order';
  readonly making: bigint;
  readonly taking: bigint;
  readonly remainingMaking: bigint;
  readonly remainingTaking: bigint;
  readonly slippageBps: number;
  readonly feeBps: number;
  readonly expiredAt: bigint | null;
  readonly state: 'open' | 'filled' | 'cancelled';
}

/** An order that trades an equal part of its input in every cycle. */
export interface ShownDcaOrder extends ProgramOrderFacts {
  readonly program: 'dca';
  readonly inDeposited: bigint;
  readonly inWithdrawn: bigint;
  readonly inUsed: bigint;
  readonly outReceived: bigint;
  readonly outWithdrawn: bigint;
  readonly inAmountPerCycle: bigint;
  /** Seconds. */
  readonly cycleFrequency: bigint;
  /** 0 for no bound, like the next one. */
  readonly minOutAmount: bigint;
  readonly maxOutAmount: bigint;
  /** Whether the user ended it before it was done. False while it is open. */
  readonly userClosed: boolean;
}

export type ShownProgramOrder = ShownLimitOrder | ShownDcaOrder;

/** Which orders of a wallet to list. */
export interface ProgramOrderQuery {
  readonly maker: Address;
  readonly isOpen: boolean;
  /** Null for all, like the two mints. */
  readonly inputMint: Address | null;
  readonly outputMint: Address | null;
  /** Either of both mints. */
  readonly anyMint: Address | null;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

export interface ProgramOrderPage<Shown extends ShownProgramOrder> {
  /** The newest first. */
  readonly orders: readonly Shown[];
  /** How many there are on all pages. */
  readonly total: number;
}

/**
 * Lists the orders of wallets, as of the newest confirmed block. Open ones are what the chain holds now.
 * Rejects with `ChainUnavailable` when the network does not answer, and with `RequestRefused` when orders that have ended are
 * asked for where nobody follows the programs.
 */
export interface ProgramOrderLists {
  readonly listLimitOrders: (
    query: ProgramOrderQuery,
    work: Work,
  ) => Promise<ProgramOrderPage<ShownLimitOrder>>;
  readonly listDcaOrders: (query: ProgramOrderQuery, work: Work) => Promise<ProgramOrderPage<ShownDcaOrder>>;
}
