import { sponsorFeeMint, feeInto, type PlatformFee } from '../fees.ts';
import { worthInDollars } from '../../../market/prices/prices.ts';
import type { Address } from '../../../solana/address.ts';
import { associatedTokenAddress } from '../../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { type Bps, bps } from '../../../solana/units.ts';
import type { BuildParts } from '../build/build-parts.ts';
import { type Costs, totalOf } from './engine.ts';
import type { OrderRequest } from './order-request.ts';
import type { Sponsor } from '../../../transactions/sponsor/sponsor.ts';

export interface EligibleParts extends BuildParts {
  readonly sponsor: Sponsor | null;
}

/** What the sponsor makes of an order: it pays, it would if the swap were larger, or it has nothing to do with it. */
export type Eligibility =
  | {
      readonly kind: 'pays';
      readonly sponsor: Sponsor;
      readonly feeMint: Address;
      readonly feeAccount: Address;
    }
  | { readonly kind: 'too small'; readonly dollars: number; readonly least: number }
  | { readonly kind: 'no' };

/** Whoever has this many lamports pays for the own transactions. */
const ENOUGH_LAMPORTS = 10_000_000n;
/** What a swap costs at the least: two signatures. */
const MIN_LAMPORTS = 10_000n;
/** The most that a taker is charged for gas; a swap so small that this is not enough is not sponsored. */
const MAX_BPS = 1_000;
/** Prices are estimates, and a fee that turns out too low is the sponsor's loss. */
const MARGIN = 1.1;

const NO: Eligibility = { kind: 'no' };

/** Reads what the taker has, but only where nobody else pays, no referrer takes the fee and neither tip nor priority fee is asked for. */
export async function eligibilityOf(parts: EligibleParts, order: OrderRequest): Promise<Eligibility> {
  const { sponsor, chain, pools } = parts;
  const { taker, payer, referral, receiver, tipLamports } = order;
  if (sponsor === null || taker === null || payer !== null || referral !== null || receiver !== null)
    return NO;
  if (tipLamports > 0n || taker === sponsor.keypair.address) return NO;
  // What a failed swap costs is not for the taker to choose.
  if (order.priorityFee?.kind === 'exactFee') return NO;
  const [read] = await chain.getAccounts([taker]);
  if ((read?.account?.lamports ?? 0n) >= ENOUGH_LAMPORTS) return NO;
  const feeMint = sponsorFeeMint(sponsor.feeMints, order.inputMint, order.outputMint);
  if (feeMint === null) return NO;
  const dollars = worthInDollars(pools, order.inputMint, order.amount);
  if (dollars !== null && dollars < sponsor.leastDollars) {
    return { kind: 'too small', dollars, least: sponsor.leastDollars };
  }
  if ((await sponsor.budget.refusal(taker, MIN_LAMPORTS)) !== null) return NO;
  const feeAccount = await feeAccountOf(parts, sponsor, feeMint);
  return feeAccount === null ? NO : { kind: 'pays', sponsor, feeMint, feeAccount };
}

/** The sponsor's own token account; null when it has opened none for the mint: it could not get its money back. */
async function feeAccountOf(
  { pools, tokenAccountMints }: EligibleParts,
  { keypair }: Sponsor,
  mint: Address,
): Promise<Address | null> {
  const program = pools.account(mint)?.owner;
  if (program === undefined) return null;
  const account = associatedTokenAddress(keypair.address, mint, program);
  return (await tokenAccountMints.of(account)) === mint ? account : null;
}

/**
 * Lamports that a sponsored order charges for: what a first build of its transaction costs, and a quarter more of the
 * priority fee, since the fee itself makes the transaction larger.
 */
export function chargedLamports(costs: Costs): bigint {
  return totalOf(costs) + costs.prioritizationFee / 4n;
}

/** What a sponsored swap moves, as it is quoted. */
export interface QuotedOutput {
  readonly outAmount: bigint;
  /** The least that the program accepts. */
  readonly threshold: bigint;
}

/** In US dollars, by deep pools. */
export interface Worth {
  /** The smaller of input and quoted output. A side that no deep pool prices cannot make it larger, and is left out. */
  readonly dollars: number;
  /** The same where the output is the least that the program accepts, if the fee comes out of that. */
  readonly guaranteed: number;
}

/** Null where no deep pool prices the mint that the fee is taken in. */
export function worthOf(
  { pools }: EligibleParts,
  { inputMint, outputMint, amount }: OrderRequest,
  feeMint: Address,
  { outAmount, threshold }: QuotedOutput,
): Worth | null {
  const paid = worthInDollars(pools, inputMint, amount);
  const got = worthInDollars(pools, outputMint, outAmount);
  if ((feeMint === inputMint ? paid : got) === null) return null;
  const dollars = Math.min(paid ?? Number.POSITIVE_INFINITY, got ?? Number.POSITIVE_INFINITY);
  const least = feeMint === outputMint ? worthInDollars(pools, outputMint, threshold) : null;
  return { dollars, guaranteed: least === null ? dollars : Math.min(dollars, least) };
}

/**
 * The fee that gives the sponsor back so many lamports of whatever the swap is guaranteed to move, in whole basis points
 * rounded up; for a swap that is too small for that, what it would have to be worth, and null where that is nothing.
 */
export function recoup(
  { pools }: EligibleParts,
  { inputMint }: OrderRequest,
  { feeAccount, feeMint }: Extract<Eligibility, { kind: 'pays' }>,
  { dollars, guaranteed }: Worth,
  lamports: bigint,
): PlatformFee | { readonly least: number } | null {
  const inDollars = worthInDollars(pools, WRAPPED_SOL_MINT, lamports);
  if (inDollars === null || !(guaranteed > 0)) return null;
  const cost = inDollars * MARGIN;
  const needed = Math.ceil((cost / guaranteed) * 10_000);
  if (!(needed <= MAX_BPS)) return { least: ((cost * 10_000) / MAX_BPS) * (dollars / guaranteed) };
  const rate: Bps = bps(needed);
  return feeInto(feeAccount, feeMint, rate, inputMint);
}

/** Whether the fee is worth so many lamports also where the output is the least that the program accepts. */
export function covers(
  { pools }: EligibleParts,
  { amount }: OrderRequest,
  { bps: rate, side, mint, amountOf }: PlatformFee,
  { threshold }: QuotedOutput,
  lamports: bigint,
): boolean {
  // The threshold is what is left when the fee is off.
  const charged = side === 'input' ? amount : (threshold * 10_000n) / BigInt(10_000 - rate);
  const fee = worthInDollars(pools, mint, amountOf(charged));
  const cost = worthInDollars(pools, WRAPPED_SOL_MINT, lamports);
  return fee !== null && cost !== null && fee >= cost;
}
