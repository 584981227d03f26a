import type { Address } from '../solana/address.ts';
import { RequestRefused } from '../common/request-refused.ts';

/** The request cannot be answered. `message` is a sentence for the client. */
export class SwapRefused extends RequestRefused {
  override readonly name: string = 'SwapRefused';
  declare readonly errorCode: SwapRefusalCode | null;
  readonly reason: SwapRefusalReason;

  constructor(
    message: string,
    errorCode: SwapRefusalCode | null = null,
    reason: SwapRefusalReason = FOR_REQUEST,
  ) {
    super(message, errorCode);
    this.reason = reason;
  }
}

/**
 * Why a swap is refused. `request`: for what is asked. `unquoted`: no engine quotes it; if only makers were asked, there is no
 * quote to be found while the request may be right. `failing`: a simulation shows that a program would refuse the swap along
 * the quoted route, or that the runtime would, if `program` is null.
 */
export type SwapRefusalReason =
  | { readonly kind: 'request' }
  | { readonly kind: 'unquoted'; readonly askedMakersOnly: boolean }
  | { readonly kind: 'failing'; readonly program: Address | null };

const FOR_REQUEST: SwapRefusalReason = { kind: 'request' };

/** Codes by which clients of swap v1 distinguish refusals. */
export const REFUSAL_CODES = [
  'COULD_NOT_FIND_ANY_ROUTE',
  'TOKEN_NOT_TRADABLE',
  'CIRCULAR_ARBITRAGE_IS_DISABLED',
  'MARKET_NOT_FOUND',
  'ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT',
  'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD',
  'INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE',
  'MAX_ACCOUNT_GREATER_THAN_MAX',
  'FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS',
  'NOT_SUPPORTED',
] as const;
export type SwapRefusalCode = (typeof REFUSAL_CODES)[number];

/** @param message - The reasons of the engines, as a sentence for the client. */
export function createUnquoted(message: string, askedMakersOnly = false): SwapRefused {
  return new SwapRefused(message, null, { kind: 'unquoted', askedMakersOnly });
}

/** @param program - The program that refuses; null if the runtime does. */
export function createFailing(program: Address | null, reason: string): SwapRefused {
  return new SwapRefused(`the swap would fail now: ${reason}`, null, { kind: 'failing', program });
}
