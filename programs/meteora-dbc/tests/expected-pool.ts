import type { DbcPoolKeys } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import type { DbcVirtualPool } from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import {
  METEORA_DBC_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { deriveMetadataAddress } from '../../../src/solana/programs/token-metadata/program.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { CREATOR, NOW, PARAMETERS, PAYER } from './fixture.ts';

/** One wrong account each, by its name, with the error of the program if the runtime does not refuse it first. */
export const WRONG: readonly [string, string, object, number | null][] = [
  ['the creator does not sign', 'creator', { role: 0 }, 3010],
  ['the payer does not sign', 'payer', { role: 1 }, 3010],
  ['the payer is read-only', 'payer', { role: 2 }, 2000],
  ['the mint does not sign', 'baseMint', { role: 1 }, 3010],
  ['the mint is the payer', 'baseMint', { address: PAYER }, 4101],
  ['the mint is read-only', 'baseMint', { role: 2 }, 2000],
  ['the pool is read-only', 'pool', { role: 0 }, 2000],
  ['the pool is another', 'pool', { address: namedAddress('elsewhere') }, 2006],
  ['the base vault is another', 'baseVault', { address: namedAddress('elsewhere') }, 2006],
  ['the quote vault is another', 'quoteVault', { address: namedAddress('elsewhere') }, 2006],
  ['the authority is another', 'authority', { address: namedAddress('elsewhere') }, 2012],
  ['the quote mint is nothing', 'quoteMint', { address: namedAddress('elsewhere') }, 3012],
  ['the configuration is nothing', 'config', { address: namedAddress('elsewhere') }, 3007],
  ['the system program is another', 'system', { address: TOKEN_PROGRAM }, 3008],
  ['the program is another', 'program', { address: namedAddress('elsewhere') }, null],
];

/** Returns what the program stores for a pool that nobody has swapped in. */
export function expectNewPool(keys: DbcPoolKeys, supply: bigint, poolType: number): DbcVirtualPool {
  return {
    volatilityTracker: {
      lastUpdateTimestamp: 0n,
      sqrtPriceReference: 0n,
      volatilityAccumulator: 0n,
      volatilityReference: 0n,
    },
    config: keys.config,
    creator: CREATOR,
    baseMint: keys.baseMint,
    baseVault: keys.baseVault,
    quoteVault: keys.quoteVault,
    baseReserve: supply,
    quoteReserve: 0n,
    protocolBaseFee: 0n,
    protocolQuoteFee: 0n,
    partnerBaseFee: 0n,
    partnerQuoteFee: 0n,
    sqrtPrice: PARAMETERS.sqrtStartPrice,
    activationPoint: NOW,
    poolType,
    isMigrated: 0,
    isPartnerWithdrawSurplus: 0,
    isProtocolWithdrawSurplus: 0,
    migrationProgress: 0,
    isWithdrawLeftover: 0,
    isCreatorWithdrawSurplus: 0,
    migrationFeeWithdrawStatus: 0,
    metrics: {
      totalProtocolBaseFee: 0n,
      totalProtocolQuoteFee: 0n,
      totalTradingBaseFee: 0n,
      totalTradingQuoteFee: 0n,
    },
    finishCurveTimestamp: 0n,
    creatorBaseFee: 0n,
    creatorQuoteFee: 0n,
    legacyCreationFeeBits: 0,
    creationFeeBits: 0,
    hasSwap: 0,
    protocolLiquidityMigrationFeeBps: 20,
    protocolMigrationBaseFeeAmount: 0n,
    protocolMigrationQuoteFeeAmount: 0n,
  };
}

/** Returns the account of a launch that has the name. */
export function findAccount(name: string, keys: DbcPoolKeys): Address {
  const named: Record<string, Address> = {
    ...keys,
    authority: METEORA_DBC_AUTHORITY,
    creator: CREATOR,
    payer: PAYER,
    system: SYSTEM_PROGRAM,
    program: METEORA_DBC_PROGRAM,
    metadata: deriveMetadataAddress(keys.baseMint),
  };
  const address = named[name];
  if (address === undefined) throw new Error(`no account ${name}`);
  return address;
}
