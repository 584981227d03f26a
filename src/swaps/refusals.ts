import type { Address } from '../solana/address.ts';
import { RequestRefused } from '../common/request-refused.ts';

/** The request cannot be answered. `message` is a sentence for the client. */
export class SwapRefused extends RequestRefused {
  override readonly name: string = 'SwapRefused';
  declare readonly errorCode: SwapRefusalCode | null;

  constructor(message: string, errorCode: SwapRefusalCode | null = null) {
    super(message, errorCode);
  }
}

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

/** No engine quotes the swap. `message` gives the reasons. */
export class NothingQuoted extends SwapRefused {
  override readonly name = 'NothingQuoted';
  /** Whether only makers were asked: then there is no quote to be found, while the request may be right. */
  readonly askedMakersOnly: boolean;

  constructor(message: string, askedMakersOnly = false) {
    super(message);
    this.askedMakersOnly = askedMakersOnly;
  }
}

/** A simulation shows that the programs would refuse the swap along the quoted route. */
export class SwapWouldFail extends SwapRefused {
  /** The program that refused; null if the runtime did. */
  readonly program: Address | null;

  constructor(program: Address | null, reason: string) {
    super(`the swap would fail now: ${reason}`);
    this.program = program;
  }
}
