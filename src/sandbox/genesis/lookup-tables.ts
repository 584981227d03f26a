import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import { TOKENS } from '../../solana/known-tokens.ts';
import {
  AGGREGATOR_PROGRAM,
  EVENT_AUTHORITY,
  PROGRAM_AUTHORITIES,
} from '../../protocol/venue/aggregator-program.ts';
import type { GenesisPools, VenueGenesis } from '../../protocol/genesis/venue-genesis.ts';
import type { Address } from '../../solana/address.ts';
import {
  createActiveLookupTable,
  encodeLookupTable,
  MAX_LOOKUP_TABLE_ADDRESSES,
  deriveLookupTableAddress,
} from '../../solana/messages/lookup-table.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/program-addresses.ts';

export interface GenesisLookupTable {
  readonly address: Address;
  readonly addresses: readonly Address[];
}

/**
 * Writes one table with the accounts that many routes share, then tables with the accounts of single pools.
 * Returns the tables in the order in which they were written.
 */
export function addLookupTables(
  ledger: AccountLedger,
  { poolCreator }: GenesisKeys,
  pools: GenesisPools,
): GenesisLookupTable[] {
  const authority = poolCreator.address;
  const ofPools = [...pools].flatMap(([venue, its]) => its.map((pool) => venue.poolAccounts(pool)));
  return [sharedEntries([...pools.keys()]), ...poolEntries(ofPools)].map((addresses, index) => {
    const { address } = deriveLookupTableAddress(authority, BigInt(index));
    // Addresses that are added in a slot cannot be used in that slot, so these count as added before slot 0.
    const table = {
      ...createActiveLookupTable(addresses, authority, 0n),
      lastExtendedStartIndex: addresses.length,
    };
    const data = encodeLookupTable(table);
    ledger.addData(address, ADDRESS_LOOKUP_TABLE_PROGRAM, data);
    return { address, addresses };
  });
}

/** The first venue comes before the tokens and the others after them, as in earlier versions of the genesis. */
function sharedEntries([first, ...others]: readonly VenueGenesis[]): Address[] {
  return [
    SYSTEM_PROGRAM,
    TOKEN_PROGRAM,
    TOKEN_2022_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
    MEMO_PROGRAM,
    SYSVAR_INSTRUCTIONS,
    AGGREGATOR_PROGRAM,
    EVENT_AUTHORITY,
    ...(first?.sharedAccounts ?? []),
    ...PROGRAM_AUTHORITIES,
    ...TOKENS.map(({ mint }) => mint),
    ...others.flatMap(({ sharedAccounts }) => sharedAccounts),
  ];
}

/** One less than a table holds, because the start of the last extension is stored in a byte. */
const MAX_ENTRIES = MAX_LOOKUP_TABLE_ADDRESSES - 1;

/** The accounts of one pool are never spread over two tables. */
function poolEntries(pools: readonly (readonly Address[])[]): Address[][] {
  const tables: Address[][] = [];
  let table: Address[] = [];
  for (const entries of pools) {
    if (table.length + entries.length > MAX_ENTRIES) table = [];
    if (table.length === 0) tables.push(table);
    table.push(...entries);
  }
  return tables;
}
