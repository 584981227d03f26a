import { formatForError } from '../../../common/format-for-error.ts';
import { type Currency, type PaymentAmounts, PRICE } from './price.ts';
import { VerificationRefused } from './refusal.ts';

/** What a client says about its payment. It must be what `craftPayment` said. */
export interface PaymentClaim {
  readonly currency: Currency;
  /** Atoms that the sender pays, as a text; null if the client does not say it, which it may with JUP. */
  readonly inAmount: string | null;
  /** Atoms of JUP that are received, as a text; null if the client does not say it. */
  readonly outAmount: string | null;
}

/** @throws VerificationRefused unless the client claims what the payment was crafted for */
export function checkClaim(claim: PaymentClaim, { currency, inAmount, outAmount }: PaymentAmounts): void {
  const mustBe = (field: string, value: string | bigint, got: string | null) =>
    new VerificationRefused(
      'INVALID_PAYLOAD',
      `${field} must be ${value}, as craft-txn answered, got ${got === null ? 'none' : formatForError(got)}`,
    );
  if (claim.currency !== currency) throw mustBe('paymentCurrency', currency, claim.currency);
  const isOptional = currency === PRICE.symbol && claim.inAmount === null;
  if (!isOptional && claim.inAmount !== String(inAmount)) {
    throw mustBe('paymentAmount', inAmount, claim.inAmount);
  }
  if (claim.outAmount !== null && claim.outAmount !== String(outAmount)) {
    throw mustBe('jupOutputAmount', outAmount, claim.outAmount);
  }
}
