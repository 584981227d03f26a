import { type Costs, sumCosts } from '../build/costs.ts';
import type { Sponsorship } from '../prepared/store.ts';
import type { Sponsor } from './sponsor.ts';

/**
 * Computes what a sponsored transaction charges for.
 * @param costs - The costs of the transaction without the fee that pays the sponsor back.
 * @returns lamports: the costs, and a quarter more of the priority fee, because the fee makes the transaction larger
 */
export function computeChargedLamports(costs: Costs): bigint {
  return sumCosts(costs) + costs.prioritizationFee / 4n;
}

/** Returns the sponsor's promise to sign a transaction, with what the taker is charged for it. */
export function createSponsorship({ keypair }: Pick<Sponsor, 'keypair'>, costs: Costs): Sponsorship {
  return { sponsor: keypair.address, chargedLamports: computeChargedLamports(costs) };
}
