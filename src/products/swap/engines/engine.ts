import type { FillTerms } from '../../../rfq/index.ts';
import type { Address } from '../../../solana/address.ts';
import type { Bps } from '../../../solana/units.ts';
import type { OrderRequest } from './order-request.ts';
import type { Sponsorship } from '../../../transactions/prepared/store.ts';
import type { PlatformFee, QuotedFees } from '../fees.ts';
import type { Route } from '../../../market/router/index.ts';

/** Names that the interface knows; those without an engine here never win, but may be excluded. */
export const ROUTERS = ['metis', 'jupiterz', 'dflow', 'okx'] as const;
export type Router = (typeof ROUTERS)[number];

/** Something that competes for orders. Registered in one place: the list that `SwapParts` carries. */
export interface Engine {
  readonly router: Router;
  /** The older name of the same, which the response repeats. */
  readonly swapType: 'aggregator' | 'rfq';
  /** Whether an integrator's `payer` can pay for its transactions. */
  readonly takesPayer: boolean;
  /** Answers before `signal` aborts, or is not heard. */
  quote(request: EngineRequest, signal: AbortSignal): Promise<EngineQuote | EngineRefusal>;
  /**
   * Makes the transaction of a quote. It is only asked of the winner, and only when there is a taker.
   * @param quote one that this engine has given for the request
   * @throws SwapRefused when the programs refuse the swap
   */
  build(request: EngineRequest, quote: EngineQuote): Promise<BuiltOrder | Unbuildable>;
}

export interface EngineRequest {
  readonly order: OrderRequest;
  /** Null: the swap is free. */
  readonly fee: PlatformFee | null;
  /** Pools that were found to refuse the swap. */
  readonly avoid: ReadonlySet<Address>;
}

/** Why an engine does not quote, as a sentence for the request's author. */
export interface EngineRefusal {
  readonly refused: string;
}

/** A price, as data. Engines add what they need to build its transaction. */
export interface EngineQuote {
  readonly refused?: never;
  /** What the taker, or the receiver, gets: every fee is off. */
  readonly outAmount: bigint;
  /** The least that it may be. */
  readonly threshold: bigint;
  readonly slippageBps: Bps;
  /** Share of the price that the size costs, as a decimal text such as "0.0123". */
  readonly priceImpact: string;
  readonly route: Pick<Route, 'legs'>;
  readonly fees: QuotedFees;
  /** Whether the service's sponsor pays for the transaction, and for how much of it the taker is charged. */
  readonly sponsorship: Sponsorship | null;
  /** Makers whose books could have been part of it, by their ids. */
  readonly makerIds: readonly string[];
}

/** A transaction that waits for its signatures. */
export interface BuiltOrder {
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly costs: Costs;
  /** The maker that has to sign too; null when only the taker and the payer have to. */
  readonly coSigner: FillTerms | null;
  readonly unbuildable?: never;
}

/** A price without a transaction. The same code means different things to different routers. */
export interface Unbuildable {
  readonly unbuildable: { readonly code: number; readonly message: string };
  readonly costs: Costs;
}

/** Lamports that a transaction takes besides the swap, and who pays them. */
export interface Costs {
  readonly payer: Address;
  readonly signatureFee: bigint;
  /** Tips included. */
  readonly prioritizationFee: bigint;
  /** Of accounts that stay, or whose rent goes to somebody else. */
  readonly rentFee: bigint;
}

/** All lamports that a transaction takes besides the swap. */
export function totalOf({ signatureFee, prioritizationFee, rentFee }: Costs): bigint {
  return signatureFee + prioritizationFee + rentFee;
}
