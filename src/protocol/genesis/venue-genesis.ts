import type { AccountLedger } from './account-ledger.ts';
import type { GenesisKeys } from './keys.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';

/** A pool of the genesis. Venues extend it with the addresses that their tests use. */
export interface GenesisPool {
  readonly address: Address;
}

/** A token whose supply belongs to a pool, such as the token of a stake pool. */
export interface IssuedToken {
  readonly mint: Address;
  readonly mintAuthority: Address;
}

/** The pools of a venue in the embedded network's genesis. The accounts depend on the keys alone. */
export interface VenueGenesis<Pool extends GenesisPool = GenesisPool> {
  /** The accounts that swaps over different pools share. They are in the first lookup table, in this order. */
  readonly sharedAccounts: readonly Address[];
  /**
   * Writes the venue's configuration and its pools.
   *
   * Returns the pools, in the order in which they were written.
   */
  addPools(ledger: AccountLedger, keys: GenesisKeys): readonly Pool[];
  /** Returns the accounts that only swaps over this pool use. They are together in one lookup table. */
  poolAccounts(pool: Pool): readonly Address[];
  /**
   * The token that a pool issues. A venue with this function is written after all venues without it, because its pools
   * account for the whole supply of their tokens.
   */
  issuedToken?(pool: Pool): IssuedToken;
  /** The wallet that counts as the one which has launched the token of a pool. Absent for pools that launch no tokens. */
  launchCreator?(pool: Pool): Address;
  /** The instruction that the network runs for a pool at the start of each epoch. */
  epochInstruction?(pool: Pool): Instruction;
}

/** The pools of a genesis by venue, in the order in which they were written. */
export type GenesisPools = ReadonlyMap<VenueGenesis, readonly GenesisPool[]>;

/**
 * @param genesis - What `buildGenesis` returned.
 * @returns the pools of one venue, with the addresses that the venue adds to each
 */
export function getGenesisPools<Pool extends GenesisPool>(
  genesis: { readonly pools: GenesisPools },
  venue: VenueGenesis<Pool>,
): readonly Pool[] {
  return (genesis.pools.get(venue) ?? []) as readonly Pool[];
}
