import type { AccountLedger } from './account-ledger.ts';
import type { GenesisKeys } from './keys.ts';
import type { VenueGenesis } from './venue-genesis.ts';

/** A protocol's part of the embedded network's genesis. */
export interface ProtocolGenesis {
  /**
   * Writes accounts that must exist before any pool does. Default: there are none.
   *
   * @param foundedAt - Unix seconds at which the network begins.
   */
  addAccounts?(ledger: AccountLedger, keys: GenesisKeys, foundedAt: bigint): void;
  /** The pools of the protocol's venue. Without them, the venue has pools on other networks only. */
  readonly pools?: VenueGenesis;
  /**
   * Writes accounts after all pools, positions and mints. Default: there are none.
   *
   * @param foundedAt - Unix seconds at which the network begins.
   */
  addLastAccounts?(ledger: AccountLedger, keys: GenesisKeys, foundedAt: bigint): void;
}
