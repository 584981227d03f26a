import { deriveWhirlpoolAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import {
  encodeWhirlpool,
  type RewardInfo,
  type WhirlpoolSides,
  type Whirlpool,
} from '../../../src/protocols/whirlpool/program/layout.ts';
import type { WhirlpoolSwapPool } from '../../../src/protocols/whirlpool/venue/instructions.ts';
import { TICK_ARRAY_SIZE, WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import {
  deriveTickArrayAddresses,
  computeTickWindow,
} from '../../../src/protocols/whirlpool/program/tick-window.ts';
import { type Address, compareAddresses } from '../../../src/solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  groupTicksByArray,
  computeCurrentLiquidity,
  type PoolCase,
} from '../../../src/testing/whirlpool/cases.ts';
import { encodeArrayData } from '../../../src/testing/whirlpool/arrays.ts';
import { namedAddress, type Token, token, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';

export const NO_REWARD: RewardInfo = {
  mint: SYSTEM_PROGRAM,
  vault: SYSTEM_PROGRAM,
  extension: new Uint8Array(32),
  emissionsPerSecond: 0n,
  growthGlobal: 0n,
};

export const CONFIG = namedAddress('whirlpools config');
export const USER = namedAddress('whirlpool user');
export const USER_TOKENS: WhirlpoolSides<Address> = [namedAddress('user a'), namedAddress('user b')];

/** A pool's own addresses. Its tick arrays follow from its price. */
export interface Pool {
  readonly address: Address;
  readonly bump: number;
  readonly tokens: WhirlpoolSides<Token>;
  readonly vaults: WhirlpoolSides<Address>;
}

export function layOut(
  tickSpacing: number,
  tokens: WhirlpoolSides<Token> = [token('one'), token('two')],
): Pool {
  const ordered: WhirlpoolSides<Token> =
    compareAddresses(tokens[0].mint, tokens[1].mint) < 0 ? tokens : [tokens[1], tokens[0]];
  const { address, bump } = deriveWhirlpoolAddress(CONFIG, ordered[0].mint, ordered[1].mint, tickSpacing);
  const name = (side: string) => namedAddress(`vault ${side} of ${address}`);
  return { address, bump, tokens: ordered, vaults: [name('a'), name('b')] };
}

/** Returns the pool's account as the case defines it, without owed fees. */
function accountOf(pool: Pool, each: PoolCase): Whirlpool {
  return {
    config: CONFIG,
    bump: pool.bump,
    tickSpacing: each.tickSpacing,
    feeTierIndex: each.tickSpacing,
    feeRate: each.feeRate,
    protocolFeeRate: each.protocolFeeRate,
    liquidity: computeCurrentLiquidity(each),
    sqrtPrice: each.sqrtPrice,
    tick: each.tick,
    protocolFeesOwed: [0n, 0n],
    mints: [pool.tokens[0].mint, pool.tokens[1].mint],
    vaults: pool.vaults,
    feeGrowth: [0n, 0n],
    rewardsUpdatedAt: 0n,
    rewards: [NO_REWARD, NO_REWARD, NO_REWARD],
  };
}

/**
 * Writes the pool and the tick arrays that a swap could reach, as if instructions had created them. Accounts of
 * earlier cases at the addresses of missing arrays are removed.
 */
export function writePool(
  network: TestNetwork,
  pool: Pool,
  each: PoolCase,
  changes: Partial<Whirlpool> = {},
): void {
  const data = encodeWhirlpool({ ...accountOf(pool, each), ...changes });
  network.setData(pool.address, WHIRLPOOL_PROGRAM, data);
  const arrays = groupTicksByArray(each.ranges, each.tickSpacing);
  for (const start of reachable(each)) {
    const [address] = deriveTickArrayAddresses(pool.address, [start]) as [Address];
    const array = encodeArrayData(each, pool.address, start, arrays.get(start));
    if (array === null) removeAccount(network, address);
    else network.setData(address, WHIRLPOOL_PROGRAM, array);
  }
}

function reachable({ tick, tickSpacing }: PoolCase): Set<number> {
  const { down, up } = computeTickWindow(tick, tickSpacing);
  return new Set([...down, ...up]);
}

export function removeAccount(network: TestNetwork, address: Address): void {
  if (network.account(address) === null) return;
  const nothing = { lamports: 0n, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
  network.setAccount(address, { ...nothing, owner: SYSTEM_PROGRAM });
}

/** Writes the vaults and the user's accounts of token A and token B. */
export function writeBalances(
  network: TestNetwork,
  pool: Pool,
  vaults: WhirlpoolSides<bigint>,
  users: WhirlpoolSides<bigint>,
): void {
  for (const side of [0, 1] as const) {
    writeTokenAccount(network, pool.vaults[side], pool.address, pool.tokens[side], vaults[side]);
    writeTokenAccount(network, USER_TOKENS[side], USER, pool.tokens[side], users[side]);
  }
}

/** Returns the fields that determine the accounts of a swap, at the case's price. */
export function swapPool(pool: Pool, { tick, tickSpacing }: PoolCase): WhirlpoolSwapPool {
  const { down, up } = computeTickWindow(tick, tickSpacing);
  const arrays = (starts: readonly number[]) =>
    deriveTickArrayAddresses(pool.address, starts).map((address, i) => ({
      address,
      start: starts[i] ?? 0,
      ticks: [],
    }));
  const [a, b] = pool.tokens;
  return {
    address: pool.address,
    mints: [a.mint, b.mint],
    tokenPrograms: [a.tokenProgram, b.tokenProgram],
    vaults: pool.vaults,
    down: arrays(down),
    up: arrays(up),
  };
}

/** Returns the number of ticks that an array of the spacing covers. */
export const spanOf = (tickSpacing: number): number => TICK_ARRAY_SIZE * tickSpacing;
