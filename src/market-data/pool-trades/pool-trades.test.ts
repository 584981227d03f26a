import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { PoolReserves, PoolState, Venue } from '../../protocol/venue/venue.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import type { Candle } from '../series/bars.ts';
import type { Trade } from '../trades/trade.ts';
import { PoolTrades } from './pool-trades.ts';
import { openForEach } from '../../testing/opened.ts';

let slot: bigint;
let isFollowing: boolean;
let reported: Trade[];
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('PoolTrades', () => {
  it('report trades while transactions are not reported, and count their volumes', () => {
    const { poolTrades, set } = open();
    set(990n, 1_010n);
    expect(reported).toMatchObject([{ paid: { mint: DOLLAR, amount: 10n }, dollars: 10, trader: null }]);
    expect(poolTrades.withVolumes(candle, TOKEN, MINUTE)).toMatchObject({
      minBuyVolume: 10,
      // That of the transactions that were read is more.
      minSellVolume: 5,
    });
  });

  it('only count volumes while transactions are reported, and report each of those', () => {
    isFollowing = true;
    const { poolTrades, set } = open();
    set(990n, 1_010n);
    expect(reported).toEqual([]);
    expect(poolTrades.withVolumes(candle, TOKEN, MINUTE)).toMatchObject({ minBuyVolume: 10 });
    expect(poolTrades.claim(trade(1_100n))).toBe(true);
  });

  it('leave the volumes of a candle alone of which all trades are known', () => {
    const { poolTrades, set } = open();
    set(990n, 1_010n);
    const whole = { ...candle, hasAllTrades: true };
    expect(poolTrades.withVolumes(whole, TOKEN, MINUTE)).toMatchObject({ minBuyVolume: 0, minSellVolume: 5 });
  });

  it('report no trade twice when the reports end, and when they begin again', () => {
    isFollowing = true;
    const { poolTrades, set } = open();
    expect(poolTrades.claim(trade(1_099n))).toBe(true);
    isFollowing = false;
    // The change of that transaction, which is looked at after the reports have ended.
    set(990n, 1_010n);
    expect(reported).toEqual([]);
    set(980n, 1_020n);
    expect(reported).toHaveLength(1);
    isFollowing = true;
    // It is read afterwards.
    expect(poolTrades.claim(trade(1_199n))).toBe(false);
    set(970n, 1_030n);
    expect(poolTrades.claim(trade(1_300n))).toBe(true);
    expect(reported).toHaveLength(1);
  });

  it('report no trade twice that happened while the network could not be seen for a moment', () => {
    const { poolTrades, set } = open();
    timers.advance(19_000);
    set(990n, 1_010n, 47n);
    expect(reported).toHaveLength(1);
    // Its transaction, in one of the slots that passed unseen, is caught up with.
    expect(poolTrades.claim(trade(1_002n))).toBe(false);
  });

  it('are none over a network that reports all its transactions', () => {
    const { poolTrades, set } = open({});
    set(990n, 1_010n);
    expect(reported).toEqual([]);
    expect(poolTrades.claim(trade(1_100n))).toBe(true);
    expect(poolTrades.withVolumes(candle, TOKEN, MINUTE)).toMatchObject({ minBuyVolume: 0 });
  });
});

const address = (tag: number): Address => toAddress(new Uint8Array(32).fill(tag));
const [POOL, TOKEN, DOLLAR, PROGRAM] = [1, 2, 3, 4].map(address) as [Address, Address, Address, Address];
const NOW = 1_800_000_000;
const MINUTE = 60;

type TestPool = PoolState & { readonly held: PoolReserves };

/** It pays one for one. */
const VENUE = {
  label: 'test',
  program: PROGRAM,
  reserves: ({ held }: TestPool) => held,
  quoteExactIn: (_: PoolState, __: Address, amount: bigint) => ({
    inAmount: amount,
    outAmount: amount,
    feeAmount: 0n,
  }),
} as unknown as Venue;

const candle = { start: NOW - (NOW % MINUTE), hasAllTrades: false, buyVolume: 0, sellVolume: 5 } as Candle;

function open(executed: object | undefined = undefined) {
  const handle = { venue: VENUE as never, pool: holding(1_000n, 1_000n) as PoolState };
  let tell: (handle: PoolHandle) => void = () => undefined;
  const poolTrades = new PoolTrades({
    chain: {
      slot: () => slot,
      clock: () => ({ slot, epoch: 0n, unixTimestamp: BigInt(NOW) }),
      executed: executed as never,
      reported: { isFollowing: () => isFollowing } as never,
    },
    pools: {
      all: () => [handle],
      onChange: (listener) => {
        tell = listener;
        return () => undefined;
      },
    },
    venues: [VENUE],
    timers,
    dollarsOf: (paid) => Number(paid.amount),
    onTrade: (trade) => reported.push(trade),
    onDefect: (error) => {
      throw error;
    },
  });
  const set = (one: bigint, other: bigint, after = 100n) => {
    slot += after;
    handle.pool = holding(one, other);
    tell(handle);
    timers.advance(500);
  };
  return { poolTrades, set };
}

function holding(one: bigint, other: bigint): TestPool {
  return {
    address: POOL,
    mints: [TOKEN, DOLLAR],
    held: { amounts: [one, other], shares: 1n, feesLeave: false },
  };
}

const trade = (at: bigint) => ({ pool: POOL, slot: at }) as Trade;

function setUp(): void {
  slot = 1_000n;
  isFollowing = false;
  reported = [];
}
