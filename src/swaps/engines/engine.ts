import type { Party } from '../../common/party.ts';
import type { FillTerms } from '../fill-terms.ts';
import type { RefusalSentence } from '../refusals.ts';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import type { NoteBid } from './maker-bid.ts';
import type { OrderRequest } from './order-request.ts';
import type { Costs } from '../../transactions/build/costs.ts';
import type { Sponsorship } from '../../transactions/prepared/store.ts';
import type { PlatformFee, QuotedFees } from '../fees/platform-fee.ts';
import type { Route } from '../../market/router/index.ts';

/** Names that the interface knows. A router without an engine here never wins, but may be excluded. */
export const ROUTERS = ['metis', 'jupiterz', 'dflow', 'okx'] as const;
export type Router = (typeof ROUTERS)[number];

/** The name of the engine that asks makers, which is their label in the route plan. No pool has this label. */
export const JUPITERZ_LABEL = 'JupiterZ';

/** Quotes orders, in competition with the other engines. The application lists all engines in `createSwapEngines`. */
export interface Engine {
  readonly router: Router;
  /** The older name of the router, which the response repeats. */
  readonly swapType: 'aggregator' | 'rfq';
  /** Whether an integrator's `payer` can pay for its transactions. */
  readonly takesPayer: boolean;
  /**
   * Whether quoting costs others something, such as makers, and does not depend on `avoid`. Such an engine is asked once
   * for an order, however many routes of other engines fail in simulation.
   */
  readonly asksOthers: boolean;
  /**
   * Must resolve before `signal` aborts; a later quote is ignored.
   * @param offer - Called with a quote that counts if the promise is still open at the deadline, or rejects. An engine that
   *   can quote at once may then look for a better quote without losing that one.
   */
  quote(request: EngineRequest, signal: AbortSignal, offer: OfferQuote): Promise<EngineQuote | EngineRefusal>;
}

/** Called with a quote that is good enough to be taken. */
export type OfferQuote = (quote: EngineQuote) => void;

export interface EngineRequest {
  readonly order: OrderRequest;
  /** The id of the order that is answered. Makers see it with the quote and with the swap. */
  readonly requestId: string;
  /** Identifies the organisation whose order it is, or the client if the order came without a key. */
  readonly caller: Party;
  /** Null when the swap is free of fees. */
  readonly fee: PlatformFee | null;
  /** Whether no other engine is asked for the order. */
  readonly isOnlyEngine: boolean;
  /** Pools that simulation has shown to refuse the swap. */
  readonly avoid: ReadonlySet<Address>;
  /** Called for each maker that is considered, whether it quotes or not. Absent: nobody notes them. */
  readonly noteBid?: NoteBid;
}

/** Why an engine does not quote, as a sentence for the client. */
export interface EngineRefusal {
  readonly refused: RefusalSentence;
  /** Whether makers were asked, whose quotes change from moment to moment. Absent if none was asked. */
  readonly askedMakers?: true;
}

/** A quote, which builds its own transaction. */
export interface EngineQuote extends QuotedSwap {
  readonly refused?: never;
  readonly settlement: QuoteSettlement;
  /**
   * Builds the transaction. It is only called for the winning quote, and only if the order has a taker.
   * @throws SwapRefused when the programs refuse the swap
   */
  readonly build: () => Promise<BuiltOrder | Unbuildable>;
}

/** The price of a quote, as data. */
export interface QuotedSwap {
  /** What the taker pays; absent if that is the amount of the order. */
  readonly inAmount?: bigint;
  /** What the taker or the receiver gets, after all fees. */
  readonly outAmount: bigint;
  /**
   * `outAmount` less what the swap costs the taker in lamports: fees of the network, tips, and rent that it does not get
   * back. Quotes are compared by it.
   */
  readonly netOut: bigint;
  /** The least that the taker or the receiver accepts. */
  readonly threshold: bigint;
  readonly slippageBps: Bps;
  /** The price impact as a decimal text such as "0.0123". */
  readonly priceImpact: string;
  readonly fees: QuotedFees;
  /** The sponsor's promise, with what the taker is charged for it; null when the service's sponsor does not pay. */
  readonly sponsorship: Sponsorship | null;
  /** Ids of the makers whose order books were considered. */
  readonly makerIds: readonly string[];
}

/** What settles a swap: pools and order books along a route, or one maker that was asked by webhook. */
export type QuoteSettlement =
  | { readonly kind: 'route'; readonly route: Pick<Route, 'legs'> }
  | { readonly kind: 'maker'; readonly fill: WebhookFill };

/** A swap with a maker that was asked by webhook. Plain data, because it is stored. */
export interface WebhookFill {
  readonly makerId: string;
  readonly quoteId: string;
  /** What the maker pays and receives, and in which accounts. */
  readonly terms: FillTerms;
  /** Atoms that the taker pays and receives. */
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  /** What the maker keeps for the service of what it was paid or paid out, in atoms of `mint`. */
  readonly fee: { readonly mint: Address; readonly amount: bigint };
}

/** A transaction that waits for its signatures. */
export interface BuiltOrder {
  readonly messageBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly costs: Costs;
  /** The maker that also has to sign; null when no maker does, or one that lands the swap itself. */
  readonly coSigner: FillTerms | null;
  readonly unbuildable?: never;
}

/** A price without a transaction. The meaning of a code depends on the router. */
export interface Unbuildable {
  readonly unbuildable: {
    readonly code: number;
    /** The text that clients of the public interface compare. */
    readonly message: string;
    /** A sentence that says which wallet lacks how much of what. */
    readonly details: string;
  };
  readonly costs: Costs;
}
