import { OperatorError } from '../../common/operator-error.ts';
import type { HouseConfig } from '../../config/settings/groups/house-settings.ts';
import type { House } from '../../swaps/fees/house-fee.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';

/**
 * Finds the wallet that the fees of the house go to.
 * @param config - Null if no fees are taken.
 * @param findLaunch - Returns what is known of the launch of a token.
 * @throws OperatorError if fees are taken, but there is no wallet for them
 */
export function openHouse(
  config: HouseConfig | null,
  sponsor: Sponsor | null,
  findLaunch: NonNullable<House['findLaunch']>,
): House | null {
  if (config === null) return null;
  const wallet = config.wallet ?? sponsor?.keypair.address ?? null;
  if (wallet !== null) return { wallet, findLaunch };
  throw new OperatorError(
    'house-fees is true, but nobody collects the fees: give house-fee-wallet, or a sponsor by sponsor-keypair',
  );
}
