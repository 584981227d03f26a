import { type Address, address } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';

/** What a request costs: 1,000 JUP. */
export const PRICE = {
  symbol: 'JUP',
  mint: address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'),
  decimals: 6,
  amount: 1_000_000_000n,
} as const;

/** What a request can be paid in. The order is part of the seals of payments. */
export const CURRENCIES = ['JUP', 'SOL', 'USDC', 'JUPUSD'] as const;

export type Currency = (typeof CURRENCIES)[number];

/** A currency that the payment swaps to JUP. */
export type SwappedCurrency = Exclude<Currency, typeof PRICE.symbol>;

export interface CurrencyToken {
  readonly mint: Address;
  readonly decimals: number;
}

export const SWAPPED_CURRENCIES: Readonly<Record<SwappedCurrency, CurrencyToken>> = {
  SOL: { mint: WRAPPED_SOL_MINT, decimals: 9 },
  USDC: { mint: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), decimals: 6 },
  JUPUSD: { mint: address('JuprjznTrTSp2UFa3ZBUFgwdAmtZCq4MQCwysN55USD'), decimals: 6 },
};

/** What a payment moves. */
export interface PaymentAmounts {
  readonly currency: Currency;
  /** Atoms of the currency that the sender pays. */
  readonly inAmount: bigint;
  /** Atoms of JUP that the receiver gets: a little more than the price if they are swapped. */
  readonly outAmount: bigint;
}
