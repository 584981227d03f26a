import { type Currency, type PaymentAmounts, PRICE } from './price.ts';

/** What a client says about its payment. It must be what `craftPayment` said. */
export interface PaymentClaim {
  readonly currency: Currency;
  /** Atoms that the sender pays, as a text; null if the client does not say it, which it may with JUP. */
  readonly inAmount: string | null;
  /** Atoms of JUP that are received, as a text; null if the client does not say it. */
  readonly outAmount: string | null;
}

/** The first part of a claim that is not what the payment was crafted for. */
export interface FalseClaim {
  readonly part: keyof PaymentClaim;
  readonly crafted: string;
  readonly claimed: string | null;
}

/** Returns null if the client claims what the payment was crafted for. */
export function findFalseClaim(
  claim: PaymentClaim,
  { currency, inAmount, outAmount }: PaymentAmounts,
): FalseClaim | null {
  if (claim.currency !== currency) return { part: 'currency', crafted: currency, claimed: claim.currency };
  const isOptional = currency === PRICE.symbol && claim.inAmount === null;
  if (!isOptional && claim.inAmount !== String(inAmount)) {
    return { part: 'inAmount', crafted: String(inAmount), claimed: claim.inAmount };
  }
  if (claim.outAmount !== null && claim.outAmount !== String(outAmount)) {
    return { part: 'outAmount', crafted: String(outAmount), claimed: claim.outAmount };
  }
  return null;
}
