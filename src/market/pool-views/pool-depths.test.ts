import { beforeEach, describe, expect, it } from 'vitest';
import type { PoolState, Trading } from '../../protocol/venue/venue.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import { PoolDepths } from './pool-depths.ts';

describe('PoolDepths', () => {
  it('computes a pool once while neither it nor the slot has changed', () => {
    const first = depths.getCurves(handle, at(1n));
    const quotes = quoted;
    expect(depths.getCurves(handle, at(1n))).toBe(first);
    expect(quoted).toBe(quotes);
  });

  it('asks for the ends of the curves alone in a later slot', () => {
    const first = depths.getCurves(handle, at(1n));
    const quotes = quoted;
    expect(depths.getCurves(handle, at(2n))).toBe(first);
    expect(quoted).toBe(quotes + 4);
  });

  it('computes it again when its state is replaced', () => {
    const { revision } = depths.getCurves(handle, at(1n));
    handle.pool = { ...handle.pool };
    expect(depths.getCurves(handle, at(1n)).revision).toBeGreaterThan(revision);
  });

  it('computes it again when the time has changed what it charges', () => {
    const before = depths.getCurves(handle, at(1n));
    const after = depths.getCurves(handle, at(100n));
    expect(after.revision).toBeGreaterThan(before.revision);
    expect([before, after].map(({ curves }) => curves[0].points.at(-1))).toEqual([
      { inAmount: RESERVE, outAmount: RESERVE },
      { inAmount: (RESERVE * 10n) / 9n + 1n, outAmount: RESERVE },
    ]);
  });

  it('asks for a closed direction again, which may have opened', () => {
    const before = depths.getCurves(handle, at(50n));
    expect(before.curves.map(({ end }) => end)).toEqual(['refused', 'refused']);
    expect(depths.getCurves(handle, at(51n)).curves[0].end).toBe('exhausted');
  });
});

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const RESERVE = 1_000_000n;
const at = (slot: bigint) => ({ slot, epoch: 0n, unixTimestamp: 0n });

let depths: PoolDepths;
let handle: PoolHandle;
let quoted = 0;

beforeEach(() => {
  depths = new PoolDepths();
  quoted = 0;
  const pool: PoolState = { address: named(1), mints: [named(2), named(3)] };
  // It is closed in slot 50, and charges a tenth from slot 100 on.
  const venue: Partial<Trading> = {
    quoteExactIn: (_pool, _mint, inAmount, { slot }) => {
      quoted += 1;
      const outAmount = slot >= 100n ? (inAmount * 9n) / 10n : inAmount;
      if (slot === 50n || outAmount > RESERVE) return null;
      return { inAmount, outAmount, feeAmount: inAmount - outAmount, feeMint: named(2) };
    },
    estimate: (_pool, _mint, amount, { slot }) => {
      if (slot === 50n) return 0;
      return Math.min(amount * (slot >= 100n ? 0.9 : 1), Number(RESERVE));
    },
  };
  handle = { venue: venue as Trading, pool };
});
