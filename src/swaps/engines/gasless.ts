import { chooseSponsorFeeMint } from '../fees/gas-fee.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import type { OrderRequest } from './order-request.ts';
import { isBudgetLost } from '../../transactions/sponsor/budget.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';

export interface SponsorEligibilityDependencies {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly pools: Pools;
  readonly prices: Pick<Prices, 'worthInDollars'>;
  readonly tokenAccountMints: TokenAccountMints;
  /** Null without a sponsor. */
  readonly sponsor: Sponsor | null;
}

/** Whether the sponsor pays for an order: it does, it would if the swap were larger, or it does not. */
export type SponsorEligibility =
  | {
      readonly kind: 'pays';
      readonly sponsor: Sponsor;
      readonly feeMint: Address;
      readonly feeAccount: Address;
      /** The input in US dollars, by deep pools; null when no deep pool prices it. */
      readonly paid: number | null;
    }
  | { readonly kind: 'too small'; readonly dollars: number; readonly minimum: number }
  /** It may pay, but its budget cannot be looked up now. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'no' };

/** A taker with this many lamports pays for its own transactions. */
const ENOUGH_LAMPORTS = 10_000_000n;
/** The least that a swap costs: two signatures. */
const MIN_LAMPORTS = 10_000n;

const NO: SponsorEligibility = { kind: 'no' };
const UNKNOWN: SponsorEligibility = { kind: 'unknown' };

/**
 * Decides whether the sponsor pays for an order. It never does if another wallet pays or takes a fee, the output goes
 * to another wallet, or the request has a tip or an exact priority fee.
 * @throws ChainUnavailable when the network does not answer
 */
export async function checkSponsorEligibility(
  dependencies: SponsorEligibilityDependencies,
  order: OrderRequest,
): Promise<SponsorEligibility> {
  const { sponsor, chain, prices } = dependencies;
  const { taker, payer, referral, receiver, tipLamports } = order;
  if (sponsor === null || taker === null || payer !== null || referral !== null || receiver !== null)
    return NO;
  if (tipLamports > 0n || taker === sponsor.keypair.address) return NO;
  // The taker must not choose what a failed swap costs the sponsor.
  if (order.priorityFee?.kind === 'exactFee') return NO;
  const [read] = await chain.getAccounts([taker]);
  if ((read?.account?.lamports ?? 0n) >= ENOUGH_LAMPORTS) return NO;
  const feeMint = chooseSponsorFeeMint(sponsor.feeMints, order.inputMint, order.outputMint);
  if (feeMint === null) return NO;
  const paid = prices.worthInDollars(order.inputMint, order.amount);
  if (paid !== null && paid < sponsor.leastDollars) {
    return { kind: 'too small', dollars: paid, minimum: sponsor.leastDollars };
  }
  const refusal = await sponsor.budget.refusal(taker, MIN_LAMPORTS);
  if (refusal !== null) return isBudgetLost(refusal) ? UNKNOWN : NO;
  const feeAccount = await findFeeAccount(dependencies, sponsor, feeMint);
  return feeAccount === null ? NO : { kind: 'pays', sponsor, feeMint, feeAccount, paid };
}

/** Finds the sponsor's own token account. Null if it has none for the mint and could therefore not be paid back. */
async function findFeeAccount(
  { pools, tokenAccountMints }: SponsorEligibilityDependencies,
  { keypair }: Sponsor,
  mint: Address,
): Promise<Address | null> {
  const program = pools.account(mint)?.owner;
  if (program === undefined) return null;
  const account = deriveAssociatedTokenAddress(keypair.address, mint, program);
  return (await tokenAccountMints.of(account)) === mint ? account : null;
}
