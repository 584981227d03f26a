import type { Address } from '../../solana/address.ts';
import type { MintPair } from '../makers/maker.ts';
import type { QuoteType } from '../../protocols/order-engine/fill-instruction.ts';

/** A maker that answers by webhook, as the operator registered it. */
export interface WebhookRecord {
  /** The maker's id, which clients also give as `webhookId`. */
  readonly makerId: string;
  /** Pays for the transactions of its fills, signs them and owns the inventory. */
  readonly address: Address;
  /** The URL below which the maker serves `/quote`, `/swap` and `/tokens`, without a slash at the end. */
  readonly url: string;
  /** Sent as `x-api-key`, only to the host of `url`; null if the maker wants none. */
  readonly apiKey: string | null;
  /** The pairs that the maker may quote, in either direction; null for all pairs. */
  readonly pairs: readonly MintPair[] | null;
  readonly enabled: boolean;
}

/** A price that makers are asked for. */
export interface WebhookRequest {
  readonly requestId: string;
  readonly quoteId: string;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Atoms of `tokenIn` for `exactIn`, of `tokenOut` for `exactOut`. */
  readonly amount: bigint;
  readonly quoteType: QuoteType;
  /** The service's fee, which makers do not include in their prices. */
  readonly feeBps: number;
  /** Null while no wallet is connected. */
  readonly taker: Address | null;
  /** Another wallet that the taker hands the output on to, in the same transaction; null if it keeps it. */
  readonly receiver: Address | null;
  /** Micro-lamports per compute unit; null without a taker. */
  readonly suggestedPrice: bigint | null;
}

/** A maker's valid answer. */
export interface WebhookQuote {
  readonly makerId: string;
  readonly maker: Address;
  /** Atoms that the maker wants, before the service's fee. */
  readonly amountIn: bigint;
  /** Atoms that the maker pays, before the service's fee. */
  readonly amountOut: bigint;
  /** Micro-lamports per compute unit that the maker wants to pay; null leaves it to the service. */
  readonly computeUnitPrice: bigint | null;
}

/** A maker's answer to a signed swap. `unanswered`: it is unknown whether the maker has received the swap. */
export type SwapAnswer =
  | { readonly kind: 'accepted'; readonly signature: string | null }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly problem: string };
