import type { AccountLedger } from '../genesis/account-ledger.ts';
import type { GenesisKeys } from '../genesis/keys.ts';
import type { StandIn } from '../genesis/stand-in.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/messages/instruction.ts';

/** A pool that the embedded network begins with. A venue extends it with the addresses that its tests use. */
export interface GenesisPool {
  readonly address: Address;
}

/** A token whose supply belongs to a pool, such as the token of a stake pool. */
export interface IssuedToken {
  readonly mint: Address;
  readonly mintAuthority: Address;
}

/** What a venue contributes to the embedded network. The accounts depend on the keys alone. */
export interface VenueGenesis<Pool extends GenesisPool = GenesisPool> {
  /** The programs that a swap over the venue runs, besides those that every Solana network has. */
  readonly programs: readonly StandIn[];
  /** The accounts that swaps over different pools have in common. They go into the first lookup table, in this order. */
  readonly sharedAccounts: readonly Address[];
  /**
   * Writes the venue's configuration and its pools.
   *
   * @returns the pools, in the order in which they were written
   */
  addPools(ledger: AccountLedger, keys: GenesisKeys): readonly Pool[];
  /** The accounts that only swaps over this pool use. They stand together in one lookup table. */
  poolAccounts(pool: Pool): readonly Address[];
  /**
   * The token that a pool issues. A venue with this function is written after all venues without it, because its pools
   * account for the whole supply of their tokens.
   */
  issuedToken?(pool: Pool): IssuedToken;
  /** The instruction that the network runs for a pool at the start of each epoch. */
  epochInstruction?(pool: Pool): Instruction;
}

/** The pools of a genesis by venue, in the order in which they were written. */
export type GenesisPools = ReadonlyMap<VenueGenesis, readonly GenesisPool[]>;

/**
 * @param genesis what `buildGenesis` returned
 * @returns the pools of one venue, with the addresses that the venue adds to each
 */
export function genesisPools<Pool extends GenesisPool>(
  genesis: { readonly pools: GenesisPools },
  venue: VenueGenesis<Pool>,
): readonly Pool[] {
  return (genesis.pools.get(venue) ?? []) as readonly Pool[];
}
