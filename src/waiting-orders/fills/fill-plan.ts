import type { LookupTableContents } from '../../solana/messages/message-accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import type { WaitReason } from '../waiting-order.ts';

/** A fill that can be signed, or why the order has to wait. */
export type FillPlan = PlannedFill | PutOffFill;

export interface PlannedFill {
  readonly kind: 'fill';
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** The whole contents of the tables that the message looks accounts up in; null if it looks none up. */
  readonly lookupTables: LookupTableContents | null;
  /** Atoms of the input that it sells. */
  readonly inputAmount: bigint;
  /** Atoms that lie in the account that it sells from. Lamports at an account of wrapped SOL that are no tokens yet do not count. */
  readonly held: bigint;
  /** Atoms of the output that the wallet gets if the pools stay as they are. */
  readonly quotedOut: bigint;
  /** The program refuses to pay less. It is never below `floor`. */
  readonly threshold: bigint;
  /** The least atoms of the output that the order may be filled for, by the reference prices. */
  readonly floor: bigint;
  readonly slippageBps: Bps;
  /** The operator's fee, and the token account that gets it; null without a fee. */
  readonly platformFee: { readonly bps: Bps; readonly account: Address } | null;
  /** Whether it sells everything and closes the order's account. */
  readonly isWhole: boolean;
  /** The most lamports that it can cost the gas wallet, whether it succeeds or fails on chain. */
  readonly lamports: bigint;
  /** Rent that the gas wallet pays if it succeeds, and does not get back from the same account. */
  readonly rentPaid: bigint;
  /** Rent of the order's account that the gas wallet gets if it succeeds: no less than it pays. */
  readonly rentReturned: bigint;
  /** The token account that is created for the wallet, and the length of its data; null if none is. */
  readonly created: { readonly account: Address; readonly size: number } | null;
}

export interface PutOffFill {
  readonly kind: 'waits';
  readonly reason: WaitReason;
  /** A sentence for the operator. */
  readonly detail: string;
}

/** Thrown within the planner when an order has to wait. */
export class FillPutOff extends Error {
  override readonly name = 'FillPutOff';
  readonly reason: WaitReason;

  constructor(reason: WaitReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
