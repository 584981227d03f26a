import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import type { Commitment } from '../../chain/chain.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import { raydiumCpmm } from '../../protocols/raydium-cpmm/venue.ts';
import type { RaydiumSides } from '../../protocols/raydium-cpmm/program/layout.ts';
import { RESERVE, createRaydiumWorld } from '../../testing/protocols/raydium-pool.ts';
import type { Venue } from '../../protocol/venue/venue.ts';
import { PoolTradeFinder, type PoolTrade } from './pool-changes.ts';
import { openForEach } from '../../testing/opened.ts';

let slots: Record<Commitment, bigint>;
let tell: (handle: PoolHandle) => void;
let trades: PoolTrade[];
let defects: unknown[];
let changes: PoolTradeFinder;
let handle: PoolHandle;
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('PoolTradeFinder', () => {
  it('reports a trade without trader and signature, once its slot is confirmed', () => {
    set([RESERVE + ONE, RESERVE - OUT]);
    timers.advance(QUIET_MS);
    expect(trades).toEqual([]);
    settle();
    settle();
    expect(trades).toMatchObject([
      {
        from: 11n,
        trade: {
          pool: handle.pool.address,
          venue: 'Raydium CP',
          paid: { mint: handle.pool.mints[0], amount: ONE },
          received: { mint: handle.pool.mints[1], amount: OUT },
          trader: null,
          signature: null,
          slot: 11n,
          isRoundTrip: null,
          isSandwich: null,
        },
      },
    ]);
  });

  it('waits for the other vault of a swap, which is reported by itself', () => {
    set([RESERVE + ONE, RESERVE]);
    settle();
    expect(trades).toEqual([]);
    set([RESERVE + ONE, RESERVE - OUT]);
    settle();
    expect(trades).toHaveLength(1);
  });

  it('never reports a donation, and reports trades after it', () => {
    set([RESERVE + ONE, RESERVE]);
    settle();
    timers.advance(10_000);
    settle();
    const out = paidOut([RESERVE + ONE, RESERVE], ONE);
    set([RESERVE + 2n * ONE, RESERVE - out]);
    settle();
    expect(trades).toMatchObject([{ trade: { paid: { amount: ONE }, received: { amount: out } } }]);
  });

  it('reports nothing for a swap that was traded back before its slot was looked at', () => {
    set([RESERVE + ONE, RESERVE - OUT]);
    set([RESERVE + 2_500n, RESERVE]);
    settle();
    timers.advance(10_000);
    settle();
    expect(trades).toEqual([]);
  });

  it('reports several swaps between two looks as one net trade, and each later one by itself', () => {
    const second = paidOut([RESERVE + ONE, RESERVE - OUT], ONE);
    set([RESERVE + ONE, RESERVE - OUT]);
    set([RESERVE + 2n * ONE, RESERVE - OUT - second]);
    settle();
    const before: RaydiumSides<bigint> = [RESERVE + 2n * ONE, RESERVE - OUT - second];
    set([before[0] + ONE, before[1] - paidOut(before, ONE)]);
    settle();
    expect(trades.map(({ from, trade }) => [from, trade.paid.amount])).toEqual([
      [11n, 2n * ONE],
      [13n, ONE],
    ]);
  });

  it('reports nothing that changed while the network could not be seen, and reports later trades', () => {
    timers.advance(25_000);
    set([RESERVE + ONE, RESERVE - OUT]);
    settle();
    settle();
    expect(trades).toEqual([]);
    for (let passed = 0; passed < 25; passed++) {
      slots.processed++;
      timers.advance(1_000);
    }
    const out = paidOut([RESERVE + ONE, RESERVE - OUT], ONE);
    set([RESERVE + 2n * ONE, RESERVE - OUT - out]);
    settle();
    expect(trades).toMatchObject([{ trade: { received: { amount: out } } }]);
  });

  it('reports the trades of a pool that never rests', () => {
    let held: RaydiumSides<bigint> = [RESERVE, RESERVE];
    for (let at = 0; at < 80; at++) {
      held = [held[0] + ONE, held[1] - paidOut(held, ONE)];
      set(held);
      slots.confirmed = slots.processed;
      timers.advance(100);
    }
    expect(trades.length).toBeGreaterThan(0);
    settle();
    settle();
    const paid = trades.map(({ trade }) => trade.paid.amount);
    expect(paid.reduce((sum, amount) => sum + amount)).toBe(80n * ONE);
  });

  it('goes on with other pools, and with later changes, after one that cannot be looked at', () => {
    const pool = { ...holding([RESERVE, RESERVE]), address: handle.pool.mints[0], rates: null };
    const broken = { ...handle, pool };
    tell(broken as never);
    broken.pool = { ...broken.pool, reserves: [RESERVE + ONE, RESERVE - OUT] };
    tell(broken as never);
    set([RESERVE + ONE, RESERVE - OUT]);
    settle();
    settle();
    expect(defects).toHaveLength(1);
    expect(trades).toMatchObject([{ trade: { pool: handle.pool.address } }]);
  });

  it('reports nothing after it was closed', () => {
    changes.close();
    set([RESERVE + ONE, RESERVE - OUT]);
    settle();
    expect(trades).toEqual([]);
  });
});

const CLOCK = { slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n };
const ONE = 1_000_000n;
const QUIET_MS = 500;

function holding(amounts: RaydiumSides<bigint>) {
  const { addresses, accounts } = createRaydiumWorld({ amounts });
  const pool = raydiumCpmm.decode(addresses.address, (address) => accounts.get(address) ?? null);
  if ('unusable' in pool) throw new Error(pool.unusable);
  return pool;
}

/** The pool now holds these amounts. */
function set(amounts: RaydiumSides<bigint>): void {
  slots.processed++;
  handle.pool = holding(amounts);
  tell(handle);
}

/** Slots are confirmed, and nothing comes for a while. */
function settle(): void {
  slots.confirmed = slots.processed;
  timers.advance(QUIET_MS);
}

const paidOut = (amounts: RaydiumSides<bigint>, amount: bigint): bigint => {
  const pool = holding(amounts);
  return raydiumCpmm.quoteExactIn(pool, pool.mints[0], amount, CLOCK)?.outAmount ?? 0n;
};
const OUT = paidOut([RESERVE, RESERVE], ONE);

function setUp(): void {
  slots = { processed: 10n, confirmed: 9n, finalized: 1n };
  trades = [];
  defects = [];
  handle = { venue: raydiumCpmm as never, pool: holding([RESERVE, RESERVE]) };
  changes = new PoolTradeFinder({
    pools: {
      all: () => [handle],
      onChange: (listener) => {
        tell = listener;
        return () => {
          tell = () => undefined;
        };
      },
    },
    venues: [raydiumCpmm as unknown as Venue],
    slot: (commitment) => slots[commitment],
    clock: () => CLOCK,
    timers,
    onTrade: (trade) => trades.push(trade),
    onDefect: (error) => defects.push(error),
  });
}
