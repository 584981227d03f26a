import type { Keypair } from '../../../solana/keypair.ts';
import type { OrderWait } from './order-put-off.ts';

/** What a transaction of a keeper does with an order: it fills a part or all of it, cancels it after its end, or closes it. */
export type OrderTask = 'fill' | 'cancel' | 'close';

/** A transaction that can be signed, or why the order has to wait. */
export type ProgramOrderPlan = PlannedTask | PutOffTask | GoneOrder;

export interface PlannedTask {
  readonly kind: 'planned';
  readonly task: OrderTask;
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** The keys that sign: that of the gas wallet, and that of the keeper if it is another one. */
  readonly signers: readonly Keypair[];
  /** The most lamports that it can cost the gas wallet, whether it succeeds or fails on chain. */
  readonly lamports: bigint;
  /** Of a fill: the atoms of the input that it sells, and the least atoms of the output that its route pays. */
  readonly fill: { readonly inputAmount: bigint; readonly threshold: bigint } | null;
}

export interface PutOffTask {
  readonly kind: 'waits';
  readonly reason: OrderWait;
  /** A sentence for the operator. */
  readonly detail: string;
}

/** The order does not exist any more. */
export interface GoneOrder {
  readonly kind: 'gone';
}
