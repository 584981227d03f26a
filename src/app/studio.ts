import type { Address } from '../solana/address.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';
import type { GasWallet } from '../waiting-orders/fills/gas-wallet.ts';

/** The studio as the product works with it. */
export interface AppStudio {
  /** The wallet that gets the operator's share of launches; null if none is known, so that none are prepared. */
  readonly partner: Address | null;
}

interface StudioParts {
  /** Null where nobody pays for fills, or this process makes none. */
  readonly gasWallet: GasWallet | null;
}

/** Opens the preparation of launches. */
export function openAppStudio(
  { config }: Pick<StartContext, 'config'>,
  { network }: Pick<LowerRooms, 'network'>,
  { gasWallet }: StudioParts,
): AppStudio {
  const own = network.embedded === null ? null : (gasWallet?.keypair.address ?? null);
  return { partner: config.studio.partner ?? own };
}
