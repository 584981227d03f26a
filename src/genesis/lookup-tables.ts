import { AGGREGATOR_PROGRAM, EVENT_AUTHORITY, PROGRAM_AUTHORITIES } from '../market/aggregator/program.ts';
import { configAddress, type PoolAddresses } from '../market/venues/raydium-cpmm/addresses.ts';
import { RAYDIUM_CPMM_AUTHORITY, RAYDIUM_CPMM_PROGRAM } from '../market/venues/raydium-cpmm/program.ts';
import { WHIRLPOOL_PROGRAM } from '../market/venues/whirlpool/program.ts';
import { RFQ_FILL_PROGRAM } from '../rfq/fill-step.ts';
import type { Address } from '../solana/address.ts';
import {
  activeLookupTable,
  encodeLookupTable,
  LOOKUP_TABLE_MAX_ADDRESSES,
  lookupTableAddress,
} from '../solana/lookup-table.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../solana/programs.ts';
import type { AccountLedger } from './account-ledger.ts';
import type { GenesisKeys } from './keys.ts';
import { FEE_TIERS } from './market-plan.ts';
import { TOKENS } from './tokens.ts';
import type { GenesisWhirlpool } from './whirlpools.ts';

export interface GenesisLookupTable {
  readonly address: Address;
  readonly addresses: readonly Address[];
}

/** Writes one table of what every route uses, then as many as it takes of what single pools use. */
export function addLookupTables(
  ledger: AccountLedger,
  { poolCreator }: GenesisKeys,
  pools: readonly PoolAddresses[],
  whirlpools: readonly GenesisWhirlpool[],
): GenesisLookupTable[] {
  const authority = poolCreator.address;
  const ofPools = [
    ...pools.map(({ address, vaults, observation }) => [address, ...vaults, observation]),
    ...whirlpools.map(({ swapAccounts }) => swapAccounts),
  ];
  return [sharedEntries(), ...poolEntries(ofPools)].map((addresses, index) => {
    const { address } = lookupTableAddress(authority, BigInt(index));
    // As if the addresses had been there before slot 0: those added in a slot cannot be used in that slot.
    const table = {
      ...activeLookupTable(addresses, authority, 0n),
      lastExtendedStartIndex: addresses.length,
    };
    const data = encodeLookupTable(table);
    ledger.addData(address, ADDRESS_LOOKUP_TABLE_PROGRAM, data);
    return { address, addresses };
  });
}

function sharedEntries(): Address[] {
  return [
    SYSTEM_PROGRAM,
    TOKEN_PROGRAM,
    TOKEN_2022_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
    MEMO_PROGRAM,
    SYSVAR_INSTRUCTIONS,
    AGGREGATOR_PROGRAM,
    EVENT_AUTHORITY,
    RFQ_FILL_PROGRAM,
    RAYDIUM_CPMM_PROGRAM,
    RAYDIUM_CPMM_AUTHORITY,
    ...FEE_TIERS.map(({ index }) => configAddress(index)),
    ...PROGRAM_AUTHORITIES,
    ...TOKENS.map(({ mint }) => mint),
    WHIRLPOOL_PROGRAM,
  ];
}

/** One less than a table holds, because the start of the last extension is kept in a byte. */
const MOST_ENTRIES = LOOKUP_TABLE_MAX_ADDRESSES - 1;

/** What a swap names of a pool stays in one table. */
function poolEntries(pools: readonly (readonly Address[])[]): Address[][] {
  const tables: Address[][] = [];
  let table: Address[] = [];
  for (const entries of pools) {
    if (table.length + entries.length > MOST_ENTRIES) table = [];
    if (table.length === 0) tables.push(table);
    table.push(...entries);
  }
  return tables;
}
