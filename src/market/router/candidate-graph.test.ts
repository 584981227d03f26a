import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { SETTLED_CLOCK } from '../../protocol/venue/venue.ts';
import { BEYOND_RESERVES } from '../estimate-received.ts';
import type { Liquidity, PoolHandle } from '../pools/liquidity.ts';
import { getCandidateGraph, type CandidateRequest } from './candidate-graph.ts';

describe('getCandidateGraph', () => {
  it('uses the deepest pools of a pair that has many, as they are now', () => {
    const depths = [9, 8, 7, 6, 5, 4, 3, 2];
    const pools = pairOf(depths);
    expect(usedBy(pools)).toEqual([0, 1, 2, 3, 4, 5].map((index) => numbered(100 + index)));
    [depths[0], depths[7]] = [1, 10];
    expect(usedBy(pools)).toEqual([7, 1, 2, 3, 4, 5].map((index) => numbered(100 + index)));
  });

  it('uses the four pools of such a pair that pay most for the amount, then the deepest', () => {
    const depths = [9, 8, 7, 6, 5, 4, 3, 2];
    const pools = pairOf(depths, ({ amount, index }) => (amount < 1_000 ? index : 8 - index));
    expect(usedBy(pools)).toEqual([7, 6, 5, 4, 0, 1].map((index) => numbered(100 + index)));
    expect(usedBy(pools, 1_000)).toEqual([0, 1, 2, 3, 4, 5].map((index) => numbered(100 + index)));
  });

  it('chooses the pools of a further hop by what arrives there', () => {
    const first = { venue: { estimate: (_: unknown, __: unknown, amount: number) => 100 * amount } };
    const start = numbered(3);
    const handle = { ...first, pool: { address: numbered(99), mints: [start, IN] } } as unknown as PoolHandle;
    const pools = pairOf([9, 8, 7, 6, 5, 4, 3, 2], ({ amount, index }) =>
      amount < 1_000 ? index : 8 - index,
    );
    const both: Liquidity = {
      ...pools,
      counterparts: (mint) => (mint === start ? new Set([IN]) : pools.counterparts(mint)),
      between: (one, other) => (one === start && other === IN ? [handle] : pools.between(one, other)),
    };
    const last = (amount: number) => {
      const { over } = getCandidateGraph(both, { ...DIRECT, inputMint: start }, amount);
      return (over[0]?.last?.handles ?? []).map(({ pool }) => pool.address);
    };
    expect(last(1)[0]).toBe(numbered(107));
    expect(last(10)[0]).toBe(numbered(100));
  });

  it('returns the same graph until the set of trading pools changes', () => {
    const pools = pairOf([1, 2]);
    const found = getCandidateGraph(pools, DIRECT, 1);
    expect(getCandidateGraph(pools, { ...DIRECT }, 1)).toBe(found);
    expect(getCandidateGraph(pools, { ...DIRECT, maxHops: 1 }, 1)).not.toBe(found);
    pools.listing++;
    expect(getCandidateGraph(pools, DIRECT, 1)).not.toBe(found);
  });

  it('clears its cache when very many pairs are requested', () => {
    const pools = pairOf([1, 2]);
    const found = getCandidateGraph(pools, DIRECT, 1);
    for (let index = 0; index < 15_000; index++) {
      getCandidateGraph(pools, { ...DIRECT, inputMint: numbered(1_000 + index) }, 1);
    }
    expect(getCandidateGraph(pools, DIRECT, 1)).not.toBe(found);
    expect(usedBy(pools)).toHaveLength(2);
  });
});

const [IN, OUT] = [numbered(1), numbered(2)];
const DIRECT: CandidateRequest = {
  inputMint: IN,
  outputMint: OUT,
  maxHops: 3,
  clock: SETTLED_CLOCK,
  onlyHubs: false,
};

function numbered(index: number): Address {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32LE(index);
  return toAddress(bytes);
}

interface AskedAmount {
  readonly amount: number;
  readonly index: number;
}

/** As many pools of one pair, each as deep as `depths` says at the time. For less, they pay the same unless it is said. */
function pairOf(
  depths: number[],
  pays: (asked: AskedAmount) => number = ({ index }) => depths[index] ?? 0,
): Liquidity & { listing: number } {
  const handles = depths.map((_, index) => {
    const pool = { address: numbered(100 + index), mints: [IN, OUT] as const };
    const estimate = (_pool: unknown, _inputMint: unknown, amount: number) =>
      amount === BEYOND_RESERVES ? (depths[index] ?? 0) : pays({ amount, index });
    return { venue: { estimate }, pool } as unknown as PoolHandle;
  });
  const isPair = (one: Address, other: Address) =>
    (one === IN && other === OUT) || (one === OUT && other === IN);
  return {
    counterparts: (mint) => new Set(mint === IN ? [OUT] : mint === OUT ? [IN] : []),
    between: (one, other) => (isPair(one, other) ? handles : []),
    hubs: () => new Set([IN, OUT]),
    listing: 1,
  };
}

function usedBy(pools: Liquidity, amount = 1): readonly Address[] {
  return (getCandidateGraph(pools, DIRECT, amount).direct?.handles ?? []).map(({ pool }) => pool.address);
}
