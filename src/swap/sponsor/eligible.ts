import { dollarsPerAtom } from '../../market/prices.ts';
import type { Address } from '../../solana/address.ts';
import { associatedTokenAddress } from '../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../solana/programs.ts';
import { type Bps, bps } from '../../solana/units.ts';
import type { BuildParts } from '../build-parts.ts';
import { type Costs, totalOf } from '../engines/engine.ts';
import { feeMint } from '../fee-mint.ts';
import type { OrderRequest } from '../order-request.ts';
import { feeInto, type PlatformFee } from '../platform-fee.ts';
import type { Sponsor } from './sponsor.ts';

export interface EligibleParts extends BuildParts {
  readonly sponsor: Sponsor | null;
}

/** What the sponsor makes of an order: it pays, it would if the swap were larger, or it has nothing to do with it. */
export type Eligibility =
  | {
      readonly kind: 'pays';
      readonly sponsor: Sponsor;
      readonly dollars: number;
      readonly feeAccount: Address;
    }
  | { readonly kind: 'too small'; readonly dollars: number; readonly least: number }
  | { readonly kind: 'no' };

/** Whoever has this many lamports pays for the own transactions. */
const ENOUGH_LAMPORTS = 10_000_000n;
/** What a swap costs at the least: two signatures. */
const LEAST_LAMPORTS = 10_000n;
/** The most that a taker is charged for gas; a swap so small that this is not enough is not sponsored. */
const MOST_BPS = 1_000;
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
  const price = dollarsPerAtom(pools, order.inputMint);
  if (price === null) return NO;
  const dollars = price * Number(order.amount);
  if (dollars < sponsor.leastDollars) return { kind: 'too small', dollars, least: sponsor.leastDollars };
  if ((await sponsor.budget.refusal(taker, LEAST_LAMPORTS)) !== null) return NO;
  const feeAccount = await feeAccountOf(parts, sponsor, feeMint(order.inputMint, order.outputMint));
  return feeAccount === null ? NO : { kind: 'pays', sponsor, dollars, feeAccount };
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

/**
 * The fee that gives the sponsor back so many lamports, in whole basis points rounded up; for a swap that is
 * too small for that, what it would have to be worth.
 */
export function recoup(
  { pools }: EligibleParts,
  order: OrderRequest,
  { dollars, feeAccount }: Extract<Eligibility, { kind: 'pays' }>,
  lamports: bigint,
): PlatformFee | { readonly least: number } {
  const cost =
    Number(lamports) * (dollarsPerAtom(pools, WRAPPED_SOL_MINT) ?? Number.POSITIVE_INFINITY) * MARGIN;
  const needed = Math.ceil((cost / dollars) * 10_000);
  if (!(needed <= MOST_BPS)) return { least: (cost * 10_000) / MOST_BPS };
  const rate: Bps = bps(needed);
  return feeInto(feeAccount, feeMint(order.inputMint, order.outputMint), rate, order.inputMint);
}
