import type { Address } from '../solana/address.ts';
import type { OrderLeg, OrderPlan } from './order-plan.ts';

/** The states of an order, by the names of the interface. `src/waiting-orders/order-moves.ts` has all moves between them. */
export const ORDER_STATES = [
  /** The deposit is signed and recorded, and may be on its way. */
  'depositing',
  /** Waits for its price. */
  'open',
  /** A fill is signed and recorded, and may be on its way. Only the chain decides how it ends. */
  'executing',
  'fill_success',
  /** The wallet has asked for its money. Nothing fills it any more. */
  'ready_to_cancel',
  /** A withdrawal is signed and recorded, and may be on its way. */
  'withdrawing',
  'cancelled',
  /** Its time is over. The money waits in the vault until the wallet asks for it. */
  'expired',
  'deposit_failed',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Why the keeper does not fill an order whose price is reached. */
export const WAIT_REASONS = [
  /** The wallet that pays for fills is empty, or has spent its budget. */
  'gas',
  /** No route pays as much as the order wants. */
  'price',
  /** The price that a round watches is not within its bounds. */
  'band',
  /** No route leads from the input to the output, or none fits a transaction. */
  'route',
  /** A program refuses the fill, such as a frozen account. */
  'refused',
  /** The token of the trigger, of the input or of the output has no price that can be relied on. */
  'unpriced',
  /** The chain or a store does not answer. */
  'unavailable',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** The end of an order that has none: the latest time that a `Date` can hold. Recurring orders end when they are filled. */
export const NEVER = 8_640_000_000_000_000;

/** What an order says. Of it, only the wallet changes the plan and the end, and the price that a plan trails follows the market. */
export interface OrderTerms {
  /** A UUID of version 7, so that ids sort by time. */
  readonly id: string;
  /** The id under which the deposit was crafted. It is used once. */
  readonly depositRequestId: string;
  readonly wallet: Address;
  readonly vault: Address;
  /** The token account of the vault that holds the input. Each order has its own. */
  readonly account: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input that were deposited. */
  readonly inputAmount: bigint;
  readonly plan: OrderPlan;
  /** Unix milliseconds; `NEVER` for a recurring order. */
  readonly expiresAt: number;
  readonly createdAt: number;
}

/** An order with everything that changes while it waits. */
export interface WaitingOrder extends OrderTerms {
  readonly state: OrderState;
  /** Counts the changes of the order. A write that expects another revision is refused, which fences off late writers. */
  readonly revision: number;
  /** How many transactions were recorded for the order. The newest one has this number. */
  readonly transactions: number;
  /** Atoms of the input that are not spent. */
  readonly remaining: bigint;
  /** Atoms that all fills together paid to the wallet: of the output, or of the input for an `otoco` order, which sells again. */
  readonly received: bigint;
  /** Atoms of the output that the entry of an `otoco` order has bought, and those of them that are not sold. 0 for others. */
  readonly bought: bigint;
  readonly unsold: bigint;
  /** What the newest fill that was recorded belongs to; null before the first one. */
  readonly filledBy: OrderLeg | null;
  /** Null for an order that is not recurring. */
  readonly rounds: RoundProgress | null;
  /** When its price was first reached and a fill was recorded; null before. */
  readonly triggeredAt: number | null;
  /** When its time was over before it was filled or cancelled; null if it was not. */
  readonly expiredAt: number | null;
  /** When the wallet last changed the plan or the end; null if it never did. */
  readonly editedAt: number | null;
  readonly updatedAt: number;
  /** The keeper that works on the order until `leaseUntil`; null when nobody does. */
  readonly leaseHolder: string | null;
  readonly leaseUntil: number;
  /** Fills in a row that did not succeed, by which the next attempt is put off. */
  readonly failures: number;
  /** No fill is attempted before this time. */
  readonly retryAt: number;
  /** Why it is not filled although its price is reached; null when nothing stands in the way. */
  readonly waitsFor: WaitReason | null;
}

/** How far a recurring order has come. Times are Unix milliseconds. */
export interface RoundProgress {
  readonly filled: number;
  /** When the next round is due. It stays as it is after the last one. */
  readonly nextAt: number;
  /** When the last fill was confirmed; null before the first one. */
  readonly lastAt: number | null;
}

/** A transaction of an order. It is recorded before it is sent, fully signed, so that after a crash the chain decides. */
export interface OrderTransaction {
  readonly orderId: string;
  /** Counts the transactions of the order from 1. */
  readonly number: number;
  readonly kind: 'deposit' | 'fill' | 'withdrawal';
  readonly signature: string;
  readonly wire: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** `pending` until the chain shows it, or can no longer contain it. */
  readonly outcome: 'pending' | 'success' | 'failed' | 'expired';
  /** Atoms of the input that it moves. */
  readonly inputAmount: bigint;
  /**
   * Atoms, of the input or of the shares in its place, that lay in the account that a fill sells from when it was planned. Null for
   * other transactions, and for fills that an older version has recorded.
   */
  readonly held: bigint | null;
  /** Atoms of the output that it paid; null when it pays none, or that is not known yet. */
  readonly outputAmount: bigint | null;
  /** The price, in US dollars for one whole token, at which a fill was triggered; null for other transactions. */
  readonly triggeredPrice: number | null;
  /** What a fill belongs to; null for other transactions. */
  readonly leg: OrderLeg | null;
  /** The round that it fills, counted from 1; null for other transactions. */
  readonly round: number | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** What is shown of a transaction: everything but its bytes. */
export type OrderTransactionSummary = Omit<OrderTransaction, 'wire' | 'lastValidBlockHeight'>;
