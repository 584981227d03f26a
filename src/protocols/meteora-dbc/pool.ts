import type { Account } from '../../chain/accounts.ts';
import {
  isThawedVault,
  listFreezableVaults,
  requireThawedVaults,
} from '../../protocol/venue/freezable-vaults.ts';
import { readPoolMint } from '../../protocol/venue/pool-mint.ts';
import { decodeOrUnusable, PoolUnusable } from '../../protocol/venue/unusable-pool.ts';
import type { AccountReader, PoolState, Unusable } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import { computeDynamicFeeRate } from '../meteora-damm-v2/fees.ts';
import type { DbcWalkStart } from './curve.ts';
import { decodeDbcConfig, isDbcConfigData } from './program/layout-config.ts';
import { decodeDbcPool, isDbcPoolData } from './program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from './program/program.ts';
import { hasSameDbcTerms, isMigratedPool, readDbcChanges } from './pool-changes.ts';
import { type DbcTerms, readDbcTerms } from './terms.ts';

/** A launch that still trades on its curve. Pairs are in the order base token, quote token. */
export interface MeteoraDbcPool extends PoolState {
  readonly config: Address;
  readonly terms: DbcTerms;
  readonly vaults: readonly [Address, Address];
  readonly tokenPrograms: readonly [Address, Address];
  /** The slot or the Unix second in which the pool was created. */
  readonly activationPoint: bigint;
  readonly sqrtPrice: bigint;
  /** What belongs to the curve, without fees. */
  readonly reserves: readonly [bigint, bigint];
  /** What swaps may add until the curve is complete, and to either reserve before it is full. */
  readonly room: { readonly toThreshold: bigint; readonly base: bigint; readonly quote: bigint };
  /** What the volatility of past swaps adds to the fee, in billionths. */
  readonly dynamicRate: bigint;
  /** Swaps are refused before this Unix second, because the dynamic fee has no reference price yet. */
  readonly comparableFrom: bigint;
  /** What quotes in this state have in common. */
  readonly shared: DbcQuoteCache;
  /** The pool's account, kept to find out what a newer one changes. */
  readonly data: Uint8Array;
}

/** What the first quote in a state computes, and the others use. */
export interface DbcQuoteCache {
  purchase: DbcWalkStart | null;
  sale: DbcWalkStart | null;
  /** The slot or second for which `rate` and `isLimiting` were computed; -1 before. */
  point: bigint;
  /** What a swap is charged that is not limited; null if the program refuses it. */
  rate: bigint | null;
  isLimiting: boolean;
}

/** Whether the account is a pool that has not migrated. One that has will never trade again, so it is not followed. */
export function isPool({ owner, data }: Account): boolean {
  return owner === METEORA_DBC_PROGRAM && isDbcPoolData(data) && !isMigratedPool(data);
}

/** Returns the configuration and the base token's mint. */
export function listDbcDependencies({ data }: Account): readonly Address[] {
  const { config, baseMint } = decodeDbcPool(data);
  return [config, baseMint];
}

/** Returns the quote token's mint, which only the configuration names, and the vaults that can be frozen, which the mints tell. */
export function listDbcFurtherDependencies({ data }: Account, read: AccountReader): readonly Address[] {
  const { config: configAddress, baseMint, baseVault, quoteVault } = decodeDbcPool(data);
  const config = read(configAddress);
  if (config === null || !isDbcConfigData(config.data)) return [];
  const { quoteMint } = decodeDbcConfig(config.data);
  const held = { mints: [baseMint, quoteMint], vaults: [baseVault, quoteVault] } as const;
  return [quoteMint, ...listFreezableVaults(held, read)];
}

/** Returns `Unusable` if the program would refuse every swap until an account changes. */
export function decodePoolState(address: Address, read: AccountReader): MeteoraDbcPool | Unusable {
  return decodeOrUnusable(() => readPool(address, read));
}

/** Returns the state after a swap, which also moves the balances of vaults; null for every other change, once the curve is complete, and for a price that is not on it. */
export function advance(pool: MeteoraDbcPool, address: Address, account: Account): MeteoraDbcPool | null {
  if (pool.vaults.includes(address)) return isThawedVault(account) ? pool : null;
  const { data } = account;
  if (address !== pool.address || !isPool(account) || !hasSameDbcTerms(pool.data, data)) return null;
  const changes = readState(pool.terms, data);
  return changes === null || !isOnCurve(pool.terms, changes.sqrtPrice) ? null : { ...pool, ...changes };
}

function readPool(address: Address, read: AccountReader): MeteoraDbcPool {
  const account = read(address);
  if (account === null) throw new PoolUnusable(`pool ${address} does not exist`);
  const pool = decodeDbcPool(account.data);
  if (account.owner !== METEORA_DBC_PROGRAM) {
    throw new PoolUnusable(`pool ${address} is owned by ${account.owner}, not ${METEORA_DBC_PROGRAM}`);
  }
  if (isMigratedPool(account.data)) throw new PoolUnusable('it has migrated');
  const config = read(pool.config);
  if (config === null) throw new PoolUnusable(`its configuration ${pool.config} does not exist`);
  if (config.owner !== METEORA_DBC_PROGRAM) {
    throw new PoolUnusable(`its configuration is owned by ${config.owner}, not ${METEORA_DBC_PROGRAM}`);
  }
  const terms = readDbcTerms(config);
  const mints = [pool.baseMint, terms.quoteMint] as const;
  const vaults = [pool.baseVault, pool.quoteVault] as const;
  requireThawedVaults({ mints, vaults }, read);
  const state = readState(terms, account.data);
  if (state === null) throw new PoolUnusable('its curve is complete');
  if (!isOnCurve(terms, state.sqrtPrice))
    throw new PoolUnusable(`its price ${state.sqrtPrice} is not on its curve`);
  return {
    address,
    mints,
    config: pool.config,
    terms,
    vaults,
    tokenPrograms: [readTokenProgram(mints[0], read), readTokenProgram(mints[1], read)],
    activationPoint: pool.activationPoint,
    ...state,
  };
}

function isOnCurve({ sqrtStartPrice, migrationSqrtPrice }: DbcTerms, sqrtPrice: bigint): boolean {
  return sqrtPrice >= sqrtStartPrice && sqrtPrice <= migrationSqrtPrice;
}

/** The program knows no fees of transfers: it never creates such a mint, and accepts none. */
function readTokenProgram(mint: Address, read: AccountReader): Address {
  const { tokenProgram, transferFee } = readPoolMint(mint, read);
  if (transferFee !== null) throw new PoolUnusable(`mint ${mint} withholds fees from transfers`);
  return tokenProgram;
}

type DbcPoolChanged = Pick<
  MeteoraDbcPool,
  'sqrtPrice' | 'reserves' | 'room' | 'dynamicRate' | 'comparableFrom' | 'shared' | 'data'
>;

/** Returns null once the curve is complete. */
function readState({ quoteThreshold, dynamicFee }: DbcTerms, data: Uint8Array): DbcPoolChanged | null {
  const changes = readDbcChanges(data);
  const { baseReserve, quoteReserve } = changes;
  if (quoteReserve >= quoteThreshold) return null;
  const hasReference = dynamicFee === null || changes.referencePrice > 0n;
  return {
    sqrtPrice: changes.sqrtPrice,
    reserves: [baseReserve, quoteReserve],
    room: {
      toThreshold: quoteThreshold - quoteReserve,
      base: U64_MAX - baseReserve,
      quote: U64_MAX - quoteReserve,
    },
    dynamicRate: computeDynamicFeeRate(dynamicFee, changes.accumulator),
    comparableFrom: hasReference ? 0n : changes.lastUpdate + BigInt(dynamicFee.filterPeriod),
    shared: { purchase: null, sale: null, point: -1n, rate: null, isLimiting: false },
    data,
  };
}
