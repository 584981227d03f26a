import { beforeEach, describe, expect, it } from 'vitest';
import { SvmChain } from '../testing/svm/chain.ts';
import { TestNetwork } from '../testing/svm/network.ts';
import { ManualTimers } from '../testing/timers.ts';
import { groupTicksByArray, computeCurrentLiquidity, type PoolCase } from '../testing/whirlpool/cases.ts';
import type { AccountUpdate } from '../chain/accounts.ts';
import { type Address, toAddress } from '../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../solana/program-addresses.ts';
import { encodeMint } from '../solana/programs/token/mint.ts';
import { Pools } from './pools/pools.ts';
import { deriveTickArrayAddress } from '../protocols/whirlpool/program/addresses.ts';
import { whirlpool } from '../protocols/whirlpool/venue.ts';
import { encodeWhirlpool } from '../protocols/whirlpool/program/layout.ts';
import type { WhirlpoolPool } from '../protocols/whirlpool/venue/pool.ts';
import { WHIRLPOOL_PROGRAM } from '../protocols/whirlpool/program/program.ts';
import { encodeDynamicTickArray, encodeTickArray } from '../protocols/whirlpool/program/tick-array.ts';
import { computeSqrtPriceAtTick } from '../protocols/whirlpool/program/tick-math.ts';
import { openForEach } from '../testing/opened.ts';

/** Counts what is watched and read, and can refuse to read. */
class CountingChain extends SvmChain {
  readonly watched: Address[][] = [];
  reads = 0;
  refuses = false;

  override watchAccounts(
    addresses: readonly Address[],
    onChange: (updates: readonly AccountUpdate[]) => void,
  ): () => void {
    const stop = super.watchAccounts(addresses, onChange);
    const batch = [...addresses];
    this.watched.push(batch);
    return () => {
      this.watched.splice(this.watched.indexOf(batch), 1);
      stop();
    };
  }

  override async getAccounts(addresses: readonly Address[]): Promise<readonly AccountUpdate[]> {
    this.reads++;
    if (this.refuses) throw new Error('no answer');
    return super.getAccounts(addresses);
  }
}

let pools: Pools;
let timers: ManualTimers;
const network = openForEach(() => new TestNetwork());
const chain = openForEach(() => new CountingChain(network));
beforeEach(setUp);

describe('a pool whose dependencies move with its price', () => {
  it('is decoded from the accounts around its price', async () => {
    expect(lowestTicks()).toEqual([10, 98, 186]);
    await moveTo(100 * SPAN + 40);
    expect(lowestTicks()).toEqual([8810, 8898, 8986]);
  });

  it('is left out while the new accounts are being read', async () => {
    writePool(100 * SPAN + 40);
    chain.publish([POOL]);
    expect(listed()).toBeUndefined();
    expect([...pools.unusable()][0]?.reason).toContain('not read yet');
    await new Promise(setImmediate);
    expect(listed()?.tick).toBe(100 * SPAN + 40);
  });

  it('reads nothing when it moves within known accounts', async () => {
    const before = chain.reads;
    await moveTo(41);
    expect(chain.reads).toBe(before);
    await moveTo(40 + SPAN);
    await moveTo(40);
    expect(chain.reads).toBe(before + 1);
  });

  it('follows changes of accounts that it depends on only later', async () => {
    await moveTo(100 * SPAN + 40);
    const changed = deriveTickArrayAddress(POOL, 101 * SPAN);
    network.setData(
      changed,
      WHIRLPOOL_PROGRAM,
      encodeTickArray({ whirlpool: POOL, start: 101 * SPAN, ticks: [] }, 1),
    );
    chain.publish([changed]);
    expect(lowestTicks()).toEqual([8810, undefined, 8986]);
  });

  it('follows arrays that are created, grow and shrink', async () => {
    const start = 100 * SPAN;
    const address = deriveTickArrayAddress(POOL, start);
    network.setData(address, SYSTEM_PROGRAM, new Uint8Array(0));
    await moveTo(start + 40);
    expect(lowestTicks()).toEqual([undefined, 8898, 8986]);
    const tick = (at: number) => ({
      index: start + at,
      liquidityNet: 1n,
      liquidityGross: 1n,
      feeGrowthOutside: [0n, 0n] as const,
    });
    const lengths = [];
    for (const used of [[], [50], [7, 50], [7], []]) {
      const array = { whirlpool: POOL, start, ticks: used.map(tick) };
      const data = encodeDynamicTickArray(array, 1);
      network.setData(address, WHIRLPOOL_PROGRAM, data);
      chain.publish([address]);
      lengths.push(data.length);
      expect(listed()?.up[0]?.ticks).toEqual(array.ticks);
    }
    expect(lengths).toEqual([148, 260, 372, 260, 148]);
    network.setData(address, WHIRLPOOL_PROGRAM, new Uint8Array(148));
    chain.publish([address]);
    expect([...pools.unusable()][0]?.reason).toContain(
      'not a valid whirlpool tick array: wrong discriminator',
    );
    network.setData(
      address,
      WHIRLPOOL_PROGRAM,
      encodeTickArray({ whirlpool: POOL, start, ticks: [tick(7)] }, 1),
    );
    chain.publish([address]);
    expect(listed()?.up[0]?.ticks).toEqual([tick(7)]);
  });

  it('does not grow without bound', async () => {
    for (let i = 0; i < 300; i++) await moveTo(i * SPAN + 40);
    expect(chain.watched.flat().length).toBeLessThan(40);
    expect(pools.account(deriveTickArrayAddress(POOL, 0))).toBeNull();
    expect(pools.account(deriveTickArrayAddress(POOL, 299 * SPAN))).not.toBeNull();
  });

  it('is left out after a failed read, which is tried again until it succeeds', async () => {
    chain.refuses = true;
    await moveTo(100 * SPAN + 40);
    expect(listed()).toBeUndefined();
    expect(pools.unhealthy()).toBeNull();
    await readAgain();
    expect(listed()).toBeUndefined();
    chain.refuses = false;
    await readAgain();
    expect(lowestTicks()).toEqual([8810, 8898, 8986]);
  });

  it('is used after the first read of its dependencies failed', async () => {
    const pool = network.account(POOL);
    pools.close();
    network.setData(POOL, SYSTEM_PROGRAM, new Uint8Array(0));
    pools = await Pools.open(chain, [whirlpool], timers);
    expect(pools.size).toBe(0);
    network.setData(POOL, WHIRLPOOL_PROGRAM, pool?.data ?? new Uint8Array(0));
    chain.refuses = true;
    chain.publish([POOL]);
    await readAgain();
    expect([...pools.unusable()].map(({ address }) => address)).toEqual([POOL]);
    chain.refuses = false;
    await readAgain();
    expect(lowestTicks()).toEqual([10, 98, 186]);
    expect(pools.unhealthy()).toBeNull();
  });

  it('is not opened over a chain that does not answer', async () => {
    chain.refuses = true;
    await expect(Pools.open(chain, [whirlpool], timers)).rejects.toThrow('no answer');
  });

  it('stops every watch when closed', () => {
    pools.close();
    expect(chain.watched).toEqual([]);
  });
});

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const POOL = named(1);
const MINTS = [named(2), named(3)] as const;
const SPAN = 88;
/** One position in each of very many arrays. */
const RANGES = Array.from({ length: 400 }, (_, i) => ({
  lower: i * SPAN + 10,
  upper: i * SPAN + 70,
  liquidity: 1_000_000_000n,
}));

function poolAt(tick: number): PoolCase {
  return {
    tickSpacing: 1,
    feeRate: 3000,
    protocolFeeRate: 0,
    tick,
    sqrtPrice: computeSqrtPriceAtTick(tick),
    ranges: RANGES,
  };
}

function writePool(tick: number): void {
  const each = poolAt(tick);
  const reward = {
    mint: SYSTEM_PROGRAM,
    vault: SYSTEM_PROGRAM,
    extension: new Uint8Array(32),
    emissionsPerSecond: 0n,
    growthGlobal: 0n,
  };
  const data = encodeWhirlpool({
    ...each,
    config: named(4),
    bump: 255,
    feeTierIndex: 1,
    liquidity: computeCurrentLiquidity(each),
    mints: MINTS,
    protocolFeesOwed: [0n, 0n],
    vaults: [named(5), named(6)],
    feeGrowth: [0n, 0n],
    rewardsUpdatedAt: 0n,
    rewards: [reward, reward, reward],
  });
  network.setData(POOL, WHIRLPOOL_PROGRAM, data);
}

/** Moves the price and says so; resolves when what that starts is done. */
async function moveTo(tick: number): Promise<void> {
  writePool(tick);
  chain.publish([POOL]);
  await new Promise(setImmediate);
}

async function readAgain(): Promise<void> {
  await new Promise(setImmediate);
  timers.advance(1_000);
  await new Promise(setImmediate);
}

function listed(): WhirlpoolPool | undefined {
  return pools.between(...MINTS)[0]?.pool as WhirlpoolPool | undefined;
}

const lowestTicks = () => listed()?.up.map(({ ticks }) => ticks[0]?.index);

async function setUp(): Promise<void> {
  for (const mint of MINTS) {
    const base = { mintAuthority: null, supply: 1n, decimals: 6, freezeAuthority: null };
    network.setData(mint, TOKEN_PROGRAM, encodeMint({ ...base, extensions: [] }));
  }
  for (const [start, ticks] of groupTicksByArray(RANGES, 1)) {
    const data = encodeTickArray({ whirlpool: POOL, start, ticks }, 1);
    network.setData(deriveTickArrayAddress(POOL, start), WHIRLPOOL_PROGRAM, data);
  }
  writePool(40);
  timers = new ManualTimers();
  pools = await Pools.open(chain, [whirlpool], timers);
}
