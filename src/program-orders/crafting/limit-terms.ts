import type { Address } from '../../solana/address.ts';
import { isStablecoin } from '../../solana/known-tokens.ts';
import type { LimitOrderFee } from '../../protocols/jupiter-limit-order/layout.ts';
import { formatWorth } from './format-worth.ts';

/** US dollars that what an order sells must be worth. */
const MINIMUM_DOLLARS = 5;
/** The most that a fee account may be paid, in basis points: the program refuses more. */
const MAX_FEE_BPS = 1_000;
/** The most slippage in basis points: with more, a maker could be paid nothing, and the program refuses the order. */
export const MAX_SLIPPAGE_BPS = 9_999;

/** An order as it is asked for. Amounts are atoms, and above 0. */
export interface LimitOrderRequest {
  readonly maker: Address;
  /** Pays fees and rents. */
  readonly payer: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly making: bigint;
  readonly taking: bigint;
  /** The first Unix second in which the order has expired; null for never. */
  readonly expiredAt: bigint | null;
  /** From 0 to `MAX_SLIPPAGE_BPS`. */
  readonly slippageBps: number;
  /** What somebody else than the program collects of each fill, and the token account that it is paid to; null for nobody. */
  readonly referral: { readonly feeBps: number; readonly account: Address } | null;
  /** Whether SOL is wrapped for the order, and paid out as SOL itself. */
  readonly wrapsSol: boolean;
  /** Micro-lamports for a compute unit; null leaves it to the service. */
  readonly unitPrice: bigint | null;
}

/** Returns why there is no order of these terms, as a sentence for the client; null if there is one. */
export function findTermsObjection(
  { inputMint, outputMint, expiredAt, referral }: LimitOrderRequest,
  {
    now,
    rates,
    dollars,
  }: {
    /** Unix second of the network. */
    readonly now: bigint;
    readonly rates: Pick<LimitOrderFee, 'stableFeeBps'>;
    /** What the order sells is worth that; null without a price for it. */
    readonly dollars: number | null;
  },
): string | null {
  if (inputMint === outputMint) return `inputMint and outputMint must differ, got ${inputMint} twice`;
  if (expiredAt !== null && expiredAt <= now) {
    return `expiredAt must be in the future, in Unix seconds: got ${expiredAt}, and it is ${now}`;
  }
  if (referral !== null && (referral.feeBps < rates.stableFeeBps || referral.feeBps > MAX_FEE_BPS)) {
    return `feeBps must be from ${rates.stableFeeBps} to ${MAX_FEE_BPS}, got ${referral.feeBps}`;
  }
  if (dollars === null) return `input mint ${inputMint} is not traded: no pool is deep enough to value it`;
  if (dollars >= MINIMUM_DOLLARS) return null;
  return `input mint making amount must be at least ${MINIMUM_DOLLARS} USD, received: ${formatWorth(dollars)}`;
}

/** Returns the rate that an order names; null for the program's normal one. Orders between stablecoins have a lower one. */
export function chooseFeeBps(
  { inputMint, outputMint, referral }: LimitOrderRequest,
  { stableFeeBps }: Pick<LimitOrderFee, 'stableFeeBps'>,
): number | null {
  if (referral !== null) return referral.feeBps;
  return isStablecoin(inputMint) && isStablecoin(outputMint) ? stableFeeBps : null;
}
