import type { Account } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import type { TransferFeeConfig } from '../../../solana/programs/token/transfer-fee.ts';
import type { AccountReader, PoolState, Unusable } from '../../../protocol/venue/venue.ts';
import { cachePerAccount } from '../../../protocol/venue/once-per-account.ts';
import {
  isThawedVault,
  listFreezableVaults,
  requireThawedVaults,
} from '../../../protocol/venue/freezable-vaults.ts';
import { readPoolMint } from '../../../protocol/venue/pool-mint.ts';
import { PoolUnusable, decodeOrUnusable } from '../../../protocol/venue/unusable-pool.ts';
import { findOracleFault } from './adaptive-fee.ts';
import { deriveWhirlpoolOracleAddress } from '../program/addresses.ts';
import { decodeWhirlpool, isWhirlpoolData, type WhirlpoolSides, type Whirlpool } from '../program/layout.ts';
import { decodeOracle, type Oracle } from '../program/oracle.ts';
import { PROTOCOL_FEE_RATE_DENOMINATOR, WHIRLPOOL_PROGRAM } from '../program/program.ts';
import { decodeTickArray, type Tick, type TickArray } from '../program/tick-array.ts';
import { MAX_SQRT_PRICE, MAX_TICK, MIN_SQRT_PRICE, MIN_TICK } from '../program/tick-math.ts';
import { deriveTickArrayAddresses, computeTickWindow } from '../program/tick-window.ts';

/** A tick array that a swap may reach. `ticks` is empty if the array was never created. */
export interface SwapTickArray {
  readonly address: Address;
  readonly start: number;
  readonly ticks: readonly Tick[];
  /** Set if the array was never created. */
  readonly missing?: true;
}

/** A pool with everything that a quote needs. Pairs are in the order token A, token B. */
export interface WhirlpoolPool extends PoolState {
  readonly tokenPrograms: WhirlpoolSides<Address>;
  readonly vaults: WhirlpoolSides<Address>;
  readonly tickSpacing: number;
  readonly feeRate: bigint;
  /** The source of an adaptive fee; null if the fee is `feeRate` alone. */
  readonly oracle: Oracle | null;
  readonly liquidity: bigint;
  readonly sqrtPrice: bigint;
  readonly tick: number;
  readonly rewardsUpdatedAt: bigint;
  /** The arrays in the order in which a falling price reaches them; `up`: a rising one. */
  readonly down: readonly SwapTickArray[];
  readonly up: readonly SwapTickArray[];
  readonly transferFees: WhirlpoolSides<TransferFeeConfig | null>;
}

export function isPool({ owner, data }: Account): boolean {
  return owner === WHIRLPOOL_PROGRAM && isWhirlpoolData(data);
}

/**
 * Returns both mints, the tick arrays that a swap could reach from the current price, which change as it moves, and the
 * oracle of an adaptive fee.
 */
export function listWhirlpoolDependencies(address: Address, account: Account): readonly Address[] {
  const pool = readWhirlpool(account);
  const { mints, tick, tickSpacing } = pool;
  if (tickSpacing === 0) return mints;
  const { down, up } = computeTickWindow(tick, tickSpacing);
  const arrays = deriveTickArrayAddresses(address, [...new Set([...down, ...up])]);
  return hasAdaptiveFee(pool)
    ? [...mints, ...arrays, deriveWhirlpoolOracleAddress(address)]
    : [...mints, ...arrays];
}

/** Returns the vaults that can be frozen, which the mints tell. */
export function listWhirlpoolFurtherDependencies(account: Account, read: AccountReader): readonly Address[] {
  return listFreezableVaults(readWhirlpool(account), read);
}

/** Returns the same state after a change of the balance of a vault; null for every other change. */
export function advance(pool: WhirlpoolPool, address: Address, account: Account): WhirlpoolPool | null {
  return pool.vaults.includes(address) && isThawedVault(account) ? pool : null;
}

/** Returns `Unusable` if the program would refuse every swap until an account changes. */
export function decodePoolState(address: Address, read: AccountReader): WhirlpoolPool | Unusable {
  return decodeOrUnusable(() => readPool(address, read));
}

function readPool(address: Address, read: AccountReader): WhirlpoolPool {
  const account = read(address);
  if (account === null) throw new PoolUnusable(`pool ${address} does not exist`);
  if (account.owner !== WHIRLPOOL_PROGRAM) {
    throw new PoolUnusable(`pool ${address} is owned by ${account.owner}, not ${WHIRLPOOL_PROGRAM}`);
  }
  const pool = readWhirlpool(account);
  checkPool(pool);
  requireThawedVaults(pool, read);
  const { down, up } = computeTickWindow(pool.tick, pool.tickSpacing);
  const arrays = new Map(
    [...new Set([...down, ...up])].map((start) => [start, readTickArray(address, pool, start, read)]),
  );
  const inOrder = (starts: readonly number[]) => starts.flatMap((start) => arrays.get(start) ?? []);
  const tokens = [readPoolMint(pool.mints[0], read), readPoolMint(pool.mints[1], read)] as const;
  return {
    address,
    mints: pool.mints,
    tokenPrograms: [tokens[0].tokenProgram, tokens[1].tokenProgram],
    vaults: pool.vaults,
    tickSpacing: pool.tickSpacing,
    feeRate: BigInt(pool.feeRate),
    oracle: hasAdaptiveFee(pool) ? readOracle(address, pool, read) : null,
    liquidity: pool.liquidity,
    sqrtPrice: pool.sqrtPrice,
    tick: pool.tick,
    rewardsUpdatedAt: pool.rewardsUpdatedAt,
    down: inOrder(down),
    up: inOrder(up),
    transferFees: [tokens[0].transferFee, tokens[1].transferFee],
  };
}

function checkPool(pool: Whirlpool): void {
  if (pool.tickSpacing === 0) throw new PoolUnusable('its tick spacing is 0');
  if (BigInt(pool.protocolFeeRate) > PROTOCOL_FEE_RATE_DENOMINATOR) {
    throw new PoolUnusable(
      `its protocol fee of ${pool.protocolFeeRate} ten-thousandths is above the whole fee`,
    );
  }
  if (pool.sqrtPrice < MIN_SQRT_PRICE || pool.sqrtPrice > MAX_SQRT_PRICE) {
    throw new PoolUnusable(`its sqrt price ${pool.sqrtPrice} is out of bounds`);
  }
  // A swap that ends at an initialized tick, downwards, leaves the pool at the tick below.
  if (pool.tick < MIN_TICK - 1 || pool.tick > MAX_TICK)
    throw new PoolUnusable(`its tick ${pool.tick} is out of bounds`);
}

/** An adaptive fee tier has an index of its own. The index of all other tiers is their tick spacing. */
function hasAdaptiveFee({ feeTierIndex, tickSpacing }: Whirlpool): boolean {
  return feeTierIndex !== tickSpacing;
}

function readOracle(address: Address, pool: Whirlpool, read: AccountReader): Oracle {
  const at = deriveWhirlpoolOracleAddress(address);
  const account = read(at);
  if (account?.owner !== WHIRLPOOL_PROGRAM) {
    throw new PoolUnusable(`its fee is adaptive (fee tier ${pool.feeTierIndex}), but it has no oracle ${at}`);
  }
  const oracle = readOracleAccount(account);
  if (oracle.whirlpool !== address) throw new PoolUnusable(`oracle ${at} is that of ${oracle.whirlpool}`);
  const fault = findOracleFault(oracle, pool.tickSpacing);
  if (fault !== null) throw new PoolUnusable(`oracle ${at}: ${fault}`);
  return oracle;
}

function readTickArray(address: Address, pool: Whirlpool, start: number, read: AccountReader): SwapTickArray {
  const [at] = deriveTickArrayAddresses(address, [start]) as [Address];
  const account = read(at);
  // An account that only received lamports is not a tick array.
  if (account === null || (account.owner === SYSTEM_PROGRAM && account.data.length === 0)) {
    return { address: at, start, ticks: [], missing: true };
  }
  if (account.owner !== WHIRLPOOL_PROGRAM) {
    throw new PoolUnusable(`tick array ${at} is owned by ${account.owner}, not ${WHIRLPOOL_PROGRAM}`);
  }
  const array = readTickArrayAccount(account, pool.tickSpacing);
  if (array.whirlpool !== address || array.start !== start) {
    throw new PoolUnusable(`tick array ${at} is that of ${array.whirlpool} from ${array.start}`);
  }
  return { address: at, start, ticks: array.ticks };
}

/** A swap changes the pool and sometimes a tick array. Accounts that it does not change are not decoded again. */
const readWhirlpool = cachePerAccount(({ data }) => decodeWhirlpool(data));

const readOracleAccount = cachePerAccount(({ data }) => decodeOracle(data));

/** An array belongs to one pool, which has one spacing. */
const decodedArrays = new WeakMap<Account, { readonly array: TickArray; readonly tickSpacing: number }>();

function readTickArrayAccount(account: Account, tickSpacing: number): TickArray {
  const known = decodedArrays.get(account);
  if (known?.tickSpacing === tickSpacing) return known.array;
  const array = decodeTickArray(account.data, tickSpacing);
  decodedArrays.set(account, { array, tickSpacing });
  return array;
}
