import { describe, expect, it } from 'vitest';
import { ApiError, UnreachableError } from '../../../api/call.ts';
import { explainRefusal, nameMints } from '../quote/explain-refusal.ts';
import type { RouteAnswer } from '../quote/route-answer.ts';
import { computeLead, type MeasuredOffer } from './compare-engines.ts';

describe('computeLead', () => {
  it('compares what is left after the network, where it is known of both', () => {
    const [one, other] = [createOffer({ outAmount: 100n }, 90n), createOffer({ outAmount: 99n }, 95n)];
    expect(computeLead(one, other)).toEqual({ amount: -5n, share: -52_631n });
    expect(computeLead(one, { ...other, netOut: null }).amount).toBe(1n);
  });

  it('compares what is paid where the output is fixed', () => {
    const fixed = { swapMode: 'ExactOut', outAmount: 100n } as const;
    const [one, other] = [
      createOffer({ ...fixed, inAmount: 990n }, null),
      createOffer({ ...fixed, inAmount: 1_000n }, null),
    ];
    expect(computeLead(one, other)).toEqual({ amount: 10n, share: 10_000n });
  });

  it('has no share of nothing', () => {
    expect(computeLead(createOffer({}, 5n), createOffer({}, 0n)).share).toBeNull();
  });
});

describe('explainRefusal', () => {
  it('prefers the details to the text that clients compare', () => {
    const body = { error: 'Failed to get quotes', details: 'metis quotes exact inputs only' };
    expect(explainRefusal(new ApiError(400, body))).toBe('metis quotes exact inputs only');
    expect(explainRefusal(new ApiError(400, { error: 'wrong' }))).toBe('wrong');
    expect(explainRefusal(new ApiError(502, 'bad gateway'))).toMatch(/502/);
    expect(explainRefusal(new UnreachableError())).toMatch(/cannot be reached/);
  });
});

describe('nameMints', () => {
  it('puts symbols in place of the mints that are known', () => {
    const info = { mint: 'M1', symbol: '$&', name: '', decimals: 6, isVerified: false };
    const tokens = {
      find: (mint: string) => (mint === 'M1' ? info : null),
      getSymbol: (mint: string) => (mint === 'M1' ? info.symbol : 'short'),
    };
    expect(nameMints('no route from M1 to M2', ['M1', 'M2'], tokens)).toBe('no route from $& to M2');
  });
});

function createOffer(part: Partial<RouteAnswer>, netOut: bigint | null): MeasuredOffer {
  const answer: RouteAnswer = {
    router: null,
    inputMint: 'A',
    outputMint: 'B',
    inAmount: 1n,
    outAmount: 1n,
    swapMode: 'ExactIn',
    threshold: 0n,
    slippageBps: 0,
    impact: null,
    legs: [],
    platformFee: null,
    sponsorBps: 0,
    taker: null,
    network: null,
    lacking: null,
    tookMs: 1,
    ...part,
  };
  return { engine: 'metis', answer, netOut };
}
