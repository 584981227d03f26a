import type { Prices } from '../../market/prices/prices.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { bps } from '../../solana/units.ts';
import { chooseFeeMint, createPlatformFee, type SwapPair, type PlatformFee } from './platform-fee.ts';

/** The mint that a sponsor takes its fee in, among those that its operator listed; null when neither is listed. */
export function chooseSponsorFeeMint(
  listed: ReadonlySet<Address>,
  inputMint: Address,
  outputMint: Address,
): Address | null {
  if (listed.has(inputMint) && listed.has(outputMint)) return chooseFeeMint(inputMint, outputMint);
  if (listed.has(inputMint)) return inputMint;
  return listed.has(outputMint) ? outputMint : null;
}

/** The most that a taker is charged for gas, in basis points. A swap that is too small for that is not sponsored. */
const MAX_GAS_BPS = 1_000;
/** Prices are estimates, and the sponsor would bear a fee that turns out too low. */
const GAS_MARGIN = 1.1;

/** The quoted output of a sponsored swap. */
export interface QuotedOutput {
  readonly outAmount: bigint;
  /** The least that the program accepts. */
  readonly threshold: bigint;
}

/** US dollars, by deep pools. */
export interface SwapWorth {
  /** The lower of input and quoted output. A side that no deep pool prices is left out. */
  readonly dollars: number;
  /** The same, with the least output that the program accepts if the fee is taken from the output. */
  readonly guaranteed: number;
}

/**
 * Computes the value of a swap to a sponsor.
 * @param paid - The input in US dollars, by deep pools; null when no deep pool prices it.
 * @param feeMint - The mint that the sponsor's fee is taken in.
 * @returns null when no deep pool prices that mint
 */
export function computeSwapWorth(
  prices: Pick<Prices, 'worthInDollars'>,
  { inputMint, outputMint }: SwapPair,
  paid: number | null,
  feeMint: Address,
  { outAmount, threshold }: QuotedOutput,
): SwapWorth | null {
  const got = prices.worthInDollars(outputMint, outAmount);
  if ((feeMint === inputMint ? paid : got) === null) return null;
  const dollars = Math.min(paid ?? Number.POSITIVE_INFINITY, got ?? Number.POSITIVE_INFINITY);
  const least = feeMint === outputMint ? prices.worthInDollars(outputMint, threshold) : null;
  return { dollars, guaranteed: least === null ? dollars : Math.min(dollars, least) };
}

/** The fee that pays a sponsor back, or why there is none. */
export type GasFee =
  | { readonly kind: 'fee'; readonly fee: PlatformFee }
  /** The swap would have to be worth at least this many US dollars. */
  | { readonly kind: 'too-small'; readonly minimum: number }
  | { readonly kind: 'unpriced' };

/**
 * Computes the fee that pays a sponsor back, in whole basis points of what the swap is guaranteed to move, rounded
 * up.
 * @param collected - The account and mint that the fee goes to.
 */
export function computeGasFee(
  prices: Pick<Prices, 'worthInDollars'>,
  { inputMint }: SwapPair,
  collected: { readonly feeAccount: Address; readonly feeMint: Address },
  { dollars, guaranteed }: SwapWorth,
  lamports: bigint,
): GasFee {
  const inDollars = prices.worthInDollars(WRAPPED_SOL_MINT, lamports);
  if (inDollars === null || !(guaranteed > 0)) return { kind: 'unpriced' };
  const cost = inDollars * GAS_MARGIN;
  const needed = Math.ceil((cost / guaranteed) * 10_000);
  if (!(needed <= MAX_GAS_BPS)) {
    return { kind: 'too-small', minimum: ((cost * 10_000) / MAX_GAS_BPS) * (dollars / guaranteed) };
  }
  return {
    kind: 'fee',
    fee: createPlatformFee(collected.feeAccount, collected.feeMint, bps(needed), inputMint),
  };
}

/** The fees of a sponsored order. The sponsor's account collects them together. */
export interface SponsoredFees {
  /** Null if the order is free of a platform fee. */
  readonly platform: PlatformFee | null;
  /** The part that pays the sponsor back. */
  readonly gas: PlatformFee;
  /** What the program takes: both rates together. */
  readonly whole: PlatformFee;
}

/**
 * Adds a platform fee to the fee that pays a sponsor back. A swap pays one account only, so the sponsor's account
 * collects both.
 * @param platform - The platform fee as it would be without a sponsor.
 */
export function computeSponsoredFees(
  { inputMint }: SwapPair,
  platform: PlatformFee | null,
  gas: PlatformFee,
): SponsoredFees {
  if (platform === null) return { platform, gas, whole: gas };
  const { account, mint } = gas;
  return {
    platform: createPlatformFee(account, mint, platform.bps, inputMint),
    gas,
    whole: createPlatformFee(account, mint, bps(platform.bps + gas.bps), inputMint),
  };
}

/**
 * Whether the part of the fee that pays the sponsor back covers these lamports, even if the output is the least that the
 * program accepts.
 */
export function coversGas(
  prices: Pick<Prices, 'worthInDollars'>,
  amount: bigint,
  { gas: { side, mint, amountOf }, whole }: SponsoredFees,
  { threshold }: QuotedOutput,
  lamports: bigint,
): boolean {
  // The threshold is what remains after the whole fee.
  const charged = side === 'input' ? amount : (threshold * 10_000n) / BigInt(10_000 - whole.bps);
  const fee = prices.worthInDollars(mint, amountOf(charged));
  const cost = prices.worthInDollars(WRAPPED_SOL_MINT, lamports);
  return fee !== null && cost !== null && fee >= cost;
}
