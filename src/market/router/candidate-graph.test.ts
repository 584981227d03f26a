import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
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

  it('returns the same graph until the set of trading pools changes', () => {
    const pools = pairOf([1, 2]);
    const found = getCandidateGraph(pools, DIRECT);
    expect(getCandidateGraph(pools, { ...DIRECT })).toBe(found);
    expect(getCandidateGraph(pools, { ...DIRECT, maxHops: 1 })).not.toBe(found);
    pools.listing++;
    expect(getCandidateGraph(pools, DIRECT)).not.toBe(found);
  });

  it('clears its cache when very many pairs are requested', () => {
    const pools = pairOf([1, 2]);
    const found = getCandidateGraph(pools, DIRECT);
    for (let index = 0; index < 15_000; index++) {
      getCandidateGraph(pools, { ...DIRECT, inputMint: numbered(1_000 + index) });
    }
    expect(getCandidateGraph(pools, DIRECT)).not.toBe(found);
    expect(usedBy(pools)).toHaveLength(2);
  });
});

const [IN, OUT] = [numbered(1), numbered(2)];
const DIRECT: CandidateRequest = {
  inputMint: IN,
  outputMint: OUT,
  maxHops: 3,
  clock: { epoch: 0n },
  onlyHubs: false,
};

function numbered(index: number): Address {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32LE(index);
  return toAddress(bytes);
}

/** As many pools of one pair, each as deep as `depths` says at the time. */
function pairOf(depths: number[]): Liquidity & { listing: number } {
  const handles = depths.map((_, index) => {
    const pool = { address: numbered(100 + index), mints: [IN, OUT] as const };
    return { venue: { estimate: () => depths[index] ?? 0 }, pool } as unknown as PoolHandle;
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

function usedBy(pools: Liquidity): readonly Address[] {
  return (getCandidateGraph(pools, DIRECT).direct?.handles ?? []).map(({ pool }) => pool.address);
}
