import { AGGREGATOR_PROGRAM, EVENT_AUTHORITY, PROGRAM_AUTHORITIES } from '../../market/aggregator/program.ts';
import { configAddress, type PoolAddresses } from '../../market/venues/raydium-cpmm/addresses.ts';
import {
  METEORA_DAMM_V2_AUTHORITY,
  METEORA_DAMM_V2_EVENT_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
} from '../../market/venues/meteora-damm-v2/program.ts';
import { RAYDIUM_CPMM_AUTHORITY, RAYDIUM_CPMM_PROGRAM } from '../../market/venues/raydium-cpmm/program.ts';
import type { SaberAddresses } from '../../market/venues/saber/addresses.ts';
import { SABER_PROGRAM } from '../../market/venues/saber/program.ts';
import { stakedexFeeAccount } from '../../market/venues/spl-stake-pool/addresses.ts';
import type { StakePoolAddresses } from '../../market/venues/spl-stake-pool/instructions.ts';
import {
  SOL_BRIDGE_OUT,
  STAKE_POOL_PROGRAM,
  STAKEDEX_PROGRAM,
  WSOL_BRIDGE_IN,
} from '../../market/venues/spl-stake-pool/program.ts';
import { WHIRLPOOL_PROGRAM } from '../../market/venues/whirlpool/program.ts';
import type { Address } from '../../solana/address.ts';
import {
  activeLookupTable,
  encodeLookupTable,
  LOOKUP_TABLE_MAX_ADDRESSES,
  lookupTableAddress,
} from '../../solana/messages/lookup-table.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_CLOCK,
  SYSVAR_INSTRUCTIONS,
  SYSVAR_STAKE_HISTORY,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import type { AccountLedger } from '../../genesis/account-ledger.ts';
import type { GenesisKeys } from '../../genesis/keys.ts';
import { FEE_TIERS } from '../../market/venues/raydium-cpmm/genesis-plan.ts';
import type { GenesisMeteoraPool } from '../../market/venues/meteora-damm-v2/genesis.ts';
import { TOKENS } from '../../genesis/tokens.ts';
import type { GenesisWhirlpool } from '../../market/venues/whirlpool/genesis.ts';

export interface GenesisLookupTable {
  readonly address: Address;
  readonly addresses: readonly Address[];
}

/** The pools of the genesis, by venue. */
export interface GenesisPools {
  readonly pools: readonly PoolAddresses[];
  readonly whirlpools: readonly GenesisWhirlpool[];
  readonly meteoraPools: readonly GenesisMeteoraPool[];
  readonly stablePools: readonly SaberAddresses[];
  readonly stakePools: readonly StakePoolAddresses[];
}

/** Writes one table of what every route uses, then as many as it takes of what single pools use. */
export function addLookupTables(
  ledger: AccountLedger,
  { poolCreator }: GenesisKeys,
  { pools, whirlpools, meteoraPools, stablePools, stakePools }: GenesisPools,
): GenesisLookupTable[] {
  const authority = poolCreator.address;
  const ofPools = [
    ...pools.map(({ address, vaults, observation }) => [address, ...vaults, observation]),
    ...whirlpools.map(({ swapAccounts }) => swapAccounts),
    ...meteoraPools.map(({ address, vaults }) => [address, ...vaults]),
    ...stablePools.map(({ address, authority, reserves, adminFees }) => [
      ...[address, authority],
      ...[...reserves, ...adminFees],
    ]),
    ...stakePools.map(({ address, withdrawAuthority, reserve, managerFeeAccount, mint }) => [
      ...[address, withdrawAuthority, reserve, managerFeeAccount],
      stakedexFeeAccount(mint).address,
    ]),
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
    RAYDIUM_CPMM_PROGRAM,
    RAYDIUM_CPMM_AUTHORITY,
    ...FEE_TIERS.map(({ index }) => configAddress(index)),
    ...PROGRAM_AUTHORITIES,
    ...TOKENS.map(({ mint }) => mint),
    WHIRLPOOL_PROGRAM,
    ...[METEORA_DAMM_V2_PROGRAM, METEORA_DAMM_V2_AUTHORITY, METEORA_DAMM_V2_EVENT_AUTHORITY],
    SABER_PROGRAM,
    ...[STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM, SOL_BRIDGE_OUT, WSOL_BRIDGE_IN],
    stakedexFeeAccount(WRAPPED_SOL_MINT).address,
    ...[STAKE_PROGRAM, SYSVAR_CLOCK, SYSVAR_STAKE_HISTORY],
  ];
}

/** One less than a table holds, because the start of the last extension is kept in a byte. */
const MAX_ENTRIES = LOOKUP_TABLE_MAX_ADDRESSES - 1;

/** What a swap names of a pool stays in one table. */
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
