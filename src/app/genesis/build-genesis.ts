import type { AddressedAccount } from '../../chain/embedded/records/records.ts';
import { PROGRAM_AUTHORITIES } from '../../market/aggregator/program.ts';
import type { PoolAddresses } from '../../market/venues/raydium-cpmm/addresses.ts';
import type { SaberAddresses } from '../../market/venues/saber/addresses.ts';
import type { StakePoolAddresses } from '../../market/venues/spl-stake-pool/instructions.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';
import { AccountLedger } from '../../genesis/account-ledger.ts';
import { type GenesisKeys, genesisKeys } from '../../genesis/keys.ts';
import { addLookupTables, type GenesisLookupTable } from './lookup-tables.ts';
import { addMeteoraPools, type GenesisMeteoraPool } from '../../market/venues/meteora-damm-v2/genesis.ts';
import { addMint } from '../../genesis/mints.ts';
import { addPools } from '../../market/venues/raydium-cpmm/genesis.ts';
import { STAND_INS, type StandIn } from './programs.ts';
import { addStablePools } from '../../market/venues/saber/genesis.ts';
import { addStakePools } from '../../market/venues/spl-stake-pool/genesis.ts';
import { type TokenInfo, TOKENS } from '../../genesis/tokens.ts';
import { addDemoWallets, addSponsor } from '../../genesis/wallets.ts';
import { addWhirlpools, type GenesisWhirlpool } from '../../market/venues/whirlpool/genesis.ts';

/** What the embedded network begins with. */
export interface Genesis {
  /** Every account but the programs' and those that the runtime keeps itself; each address once, in a fixed order. */
  readonly accounts: readonly AddressedAccount[];
  readonly programs: readonly StandIn[];
  readonly keys: GenesisKeys;
  readonly tokens: readonly TokenInfo[];
  readonly pools: readonly PoolAddresses[];
  readonly whirlpools: readonly GenesisWhirlpool[];
  readonly meteoraPools: readonly GenesisMeteoraPool[];
  readonly stablePools: readonly SaberAddresses[];
  readonly stakePools: readonly StakePoolAddresses[];
  readonly lookupTables: readonly GenesisLookupTable[];
}

/** 500 million SOL: more than airdrops can ask for, and far enough from 2^64 that sums of balances stay below it. */
const FAUCET_LAMPORTS = 500_000_000_000_000_000n;
/** 100 SOL for each key that acts for itself. */
const KEY_LAMPORTS = 100_000_000_000n;

/** The same accounts, byte for byte, for the same seed. */
export function buildGenesis(seed: string): Genesis {
  const keys = genesisKeys(seed);
  const ledger = new AccountLedger();
  ledger.addWallet(keys.faucet.address, FAUCET_LAMPORTS);
  for (const { address } of [keys.mintAuthority, keys.poolCreator, keys.feeOwner]) {
    ledger.addWallet(address, KEY_LAMPORTS);
  }
  // Tips go to these: a tip below the rent of an absent account would be refused.
  for (const address of PROGRAM_AUTHORITIES) ledger.addWallet(address, rentExemptMinimum(0));
  addDemoWallets(ledger, keys);
  addSponsor(ledger, keys);
  const pools = addPools(ledger, keys);
  const whirlpools = addWhirlpools(ledger, keys);
  const meteoraPools = addMeteoraPools(ledger, keys);
  const stablePools = addStablePools(ledger, keys);
  // Last of the pools: each has lamports for all tokens that there are.
  const stakePools = addStakePools(ledger, keys);
  const staked = new Map(stakePools.map(({ mint, withdrawAuthority }) => [mint, withdrawAuthority]));
  for (const token of TOKENS) addMint(ledger, token, staked.get(token.mint) ?? keys.mintAuthority.address);
  const lookupTables = addLookupTables(ledger, keys, {
    pools,
    whirlpools,
    meteoraPools,
    stablePools,
    stakePools,
  });
  return {
    accounts: ledger.accounts(),
    programs: STAND_INS,
    keys,
    tokens: TOKENS,
    pools,
    whirlpools,
    meteoraPools,
    stablePools,
    stakePools,
    lookupTables,
  };
}
