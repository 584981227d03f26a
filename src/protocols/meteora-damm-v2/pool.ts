import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { TransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';
import type { AccountReader, PoolState, Unusable } from '../../protocol/venue/venue.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import {
  isThawedVault,
  listFreezableVaults,
  requireThawedVaults,
} from '../../protocol/venue/freezable-vaults.ts';
import { readPoolMint } from '../../protocol/venue/pool-mint.ts';
import { PoolUnusable, decodeOrUnusable } from '../../protocol/venue/unusable-pool.ts';
import { computeDammReserves } from './program/curve.ts';
import { computeDynamicFeeRate } from './fees.ts';
import {
  ActivationType,
  BaseFeeMode,
  CollectFeeMode,
  decodeTerms,
  isPoolData,
  type DammPoolChanges,
  type DammPoolTerms,
  readChanges,
  type DammSides,
  hasSameTerms,
  type DammVolatility,
} from './program/layout.ts';
import { MAX_SQRT_PRICE, METEORA_DAMM_V2_PROGRAM, MIN_SQRT_PRICE } from './program/program.ts';

/** A pool with everything that a quote needs. Pairs are in the order token A, token B. */
export interface MeteoraDammV2Pool extends PoolState, DammPoolTerms {
  readonly mints: DammSides<Address>;
  readonly tokenPrograms: DammSides<Address>;
  readonly transferFees: DammSides<TransferFeeConfig | null>;
  readonly liquidity: bigint;
  readonly sqrtPrice: bigint;
  /** The amounts that belong to the liquidity, as the program stores them. An output cannot exceed them. */
  readonly amounts: DammSides<bigint>;
  /** What the volatility of past swaps adds to the fee, in billionths. */
  readonly dynamicRate: bigint;
  /** Swaps are refused before this Unix second, because the dynamic fee has no reference price yet. */
  readonly comparableFrom: bigint;
  /** The pool's account, kept to find out what a newer one changes. */
  readonly data: Uint8Array;
}

const ENABLED = 0;

export function isPool({ owner, data }: Account): boolean {
  return owner === METEORA_DAMM_V2_PROGRAM && isPoolData(data);
}

/** Returns both mints. Everything else that a quote depends on is in the pool's own account, and in vaults that can be frozen. */
export function listDammDependencies(account: Account): readonly Address[] {
  return readDammTerms(account).mints;
}

/** Returns the vaults that can be frozen, which the mints tell. */
export function listDammFurtherDependencies(account: Account, read: AccountReader): readonly Address[] {
  return listFreezableVaults(readDammTerms(account), read);
}

/** Returns `Unusable` if the program would refuse every swap until an account changes. */
export function decodePoolState(address: Address, read: AccountReader): MeteoraDammV2Pool | Unusable {
  return decodeOrUnusable(() => readPool(address, read));
}

/** Returns the state after a swap or a change of liquidity, which also move the balances of vaults; null for every other change. */
export function advance(
  pool: MeteoraDammV2Pool,
  address: Address,
  account: Account,
): MeteoraDammV2Pool | null {
  if (pool.vaults.includes(address)) return isThawedVault(account) ? pool : null;
  const { data } = account;
  if (address !== pool.address || !isPool(account) || !hasSameTerms(pool.data, data)) return null;
  const changes = readChanges(data);
  return findStateFault(pool, changes) === null ? { ...pool, ...changed(pool, changes, data) } : null;
}

function readPool(address: Address, read: AccountReader): MeteoraDammV2Pool {
  const account = read(address);
  if (account === null) throw new PoolUnusable(`pool ${address} does not exist`);
  if (account.owner !== METEORA_DAMM_V2_PROGRAM) {
    throw new PoolUnusable(`pool ${address} is owned by ${account.owner}, not ${METEORA_DAMM_V2_PROGRAM}`);
  }
  const terms = readDammTerms(account);
  const changes = readChanges(account.data);
  checkPool(terms, changes);
  requireThawedVaults(terms, read);
  const tokens = [readPoolMint(terms.mints[0], read), readPoolMint(terms.mints[1], read)] as const;
  return {
    ...terms,
    address,
    tokenPrograms: [tokens[0].tokenProgram, tokens[1].tokenProgram],
    transferFees: [tokens[0].transferFee, tokens[1].transferFee],
    ...changed(terms, changes, account.data),
  };
}

type DammPoolChanged = Pick<
  MeteoraDammV2Pool,
  'liquidity' | 'sqrtPrice' | 'amounts' | 'dynamicRate' | 'comparableFrom' | 'data'
>;

function changed(terms: DammPoolTerms, changes: DammPoolChanges, data: Uint8Array): DammPoolChanged {
  const { liquidity, sqrtPrice, layoutVersion, volatility } = changes;
  // The program computes the reserves of older pools, which do not store them, in their next swap.
  const amounts = layoutVersion === 0 ? computeDammReserves({ ...terms, ...changes }) : changes.amounts;
  const dynamicRate = computeDynamicFeeRate(terms.dynamicFee, volatility.accumulator);
  return {
    liquidity,
    sqrtPrice,
    amounts,
    dynamicRate,
    comparableFrom: comparableFrom(terms, volatility),
    data,
  };
}

/** A pool takes its current price as reference if nothing was traded during its filter period. */
function comparableFrom(
  { dynamicFee }: DammPoolTerms,
  { referencePrice, lastUpdate }: DammVolatility,
): bigint {
  return dynamicFee === null || referencePrice > 0n ? 0n : lastUpdate + BigInt(dynamicFee.filterPeriod);
}

function checkPool(terms: DammPoolTerms, changes: DammPoolChanges): void {
  if (terms.status !== ENABLED) throw new PoolUnusable('it is disabled');
  checkByte('base fee mode', terms.baseFee.mode, BaseFeeMode.PRICE_EXPONENTIAL);
  checkByte('mode of collecting fees', terms.collectFeeMode, CollectFeeMode.COMPOUNDING);
  checkByte('activation type', terms.activationType, ActivationType.TIMESTAMP);
  checkByte('fee version', terms.feeVersion, 1);
  const { collectFeeMode, sqrtMinPrice, sqrtMaxPrice } = terms;
  // A pool whose fees stay in its reserves trades at all prices.
  const isBounded = collectFeeMode !== CollectFeeMode.COMPOUNDING;
  if (isBounded && (sqrtMinPrice < MIN_SQRT_PRICE || sqrtMaxPrice > MAX_SQRT_PRICE))
    throw new PoolUnusable('its range of prices is not possible');
  const fault = findStateFault(terms, changes);
  if (fault !== null) throw new PoolUnusable(fault);
  if (terms.dynamicFee?.binStepQ64 === 0n) throw new PoolUnusable('its dynamic fee has a bin step of zero');
}

/** Returns why no swap is possible in a state, or why no program writes it; null for a state that can be traded in. */
function findStateFault(
  { collectFeeMode, sqrtMinPrice, sqrtMaxPrice }: DammPoolTerms,
  { liquidity, sqrtPrice, amounts, layoutVersion }: DammPoolChanges,
): string | null {
  if (liquidity === 0n) return 'it has no liquidity';
  if (layoutVersion > 1) return `its layout version is ${layoutVersion}, and at most 1 is known`;
  if (collectFeeMode === CollectFeeMode.COMPOUNDING)
    return amounts[0] === 0n || amounts[1] === 0n ? 'it holds only one of its tokens' : null;
  const isInRange = sqrtPrice >= sqrtMinPrice && sqrtPrice <= sqrtMaxPrice;
  return isInRange ? null : `its price ${sqrtPrice} is out of its range`;
}

function checkByte(what: string, value: number, most: number): void {
  if (value > most) throw new PoolUnusable(`its ${what} is ${value}, and at most ${most} is known`);
}

const readDammTerms = cachePerAccount(({ data }) => decodeTerms(data));
