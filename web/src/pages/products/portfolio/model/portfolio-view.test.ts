import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../../src/testing/random.ts';
import { type ExactJson, toExactJson } from '../../../../base/exact-json.ts';
import { applyPortfolioEvent, readPortfolioAnswer } from './portfolio-state.ts';
import { toPortfolioView } from './portfolio-view.ts';

describe('toPortfolioView', () => {
  it('adds up what is known, by platform and by token, and counts debt apart', () => {
    const view = toView({ elements: [TOKENS, LOAN, { ...TOKENS, value: null, platformId: 'odd' }] });
    expect(view).toMatchObject({
      total: 1_300_000_000_000n,
      debt: 400_000_000_000n,
      positions: 3,
      unvalued: 1,
    });
    expect(view.platforms.map(({ name, value }) => [name, value])).toEqual([
      ['Wallet', 1_000_000_000_000n],
      ['lender', 300_000_000_000n],
      ['odd', 0n],
    ]);
    expect(view.byPlatform.map(({ label }) => label)).toEqual(['Wallet', 'lender']);
    expect(view.byToken).toEqual([{ label: 'SOL', value: 2_700_000_000_000n }]);
  });

  it('shows the amount of a token to its last digit', () => {
    const text = JSON.stringify({ elements: [TOKENS], tokenInfo: INFO });
    const state = applyPortfolioEvent(
      null,
      'positions',
      text.replace('"amount":5', '"amount":9007199254.740993'),
    );
    const [platform] = toPortfolioView(state ?? readEmpty(), new Map()).platforms;
    const content = platform?.groups[0]?.positions[0]?.content;
    expect(content?.type === 'multiple' && content.assets[0]?.amount).toBe(9_007_199_254_740_993_000_000n);
  });

  it('counts all of two platforms that have one name', () => {
    const { byPlatform } = toView({ elements: [TOKENS, { ...TOKENS, platformId: 'Wallet', value: 5 }] });
    expect(byPlatform).toEqual([{ label: 'Wallet', value: 1_005_000_000_000n }]);
  });

  it('has at most seven shares, of which the last one is all others', () => {
    const elements = Array.from({ length: 20 }, (_, index) => ({
      ...TOKENS,
      platformId: `p${index}`,
      value: index,
    }));
    const { byPlatform } = toView({ elements });
    expect(byPlatform).toHaveLength(7);
    expect(byPlatform[6]).toEqual({ label: '13 others', value: 91_000_000_000n });
  });

  it('names a token that is not verified with its address, and no letter that cannot be seen', () => {
    const fake = { solana: { [SOL]: { symbol: 'US\u202eDC', tags: [] } } };
    const { byToken } = toView({ elements: [TOKENS], tokenInfo: fake });
    expect(byToken[0]?.label).toBe('USDC So11…1112');
  });

  it('says which kinds of positions could not be read', () => {
    const view = toView({
      fetcherReports: [
        { id: 'a', status: 'succeeded' },
        { id: 'b', status: 'failed', error: 'too slow' },
        { id: 'c', status: 'failed' },
      ],
    });
    expect(view.fetchers).toBe(3);
    expect(view.failed).toEqual([
      { id: 'b', error: 'too slow' },
      { id: 'c', error: 'It did not say why.' },
    ]);
  });

  it('takes any answer without failing', () => {
    assertProperty(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), anElement())), (elements) => {
        const view = toView({ elements } as never);
        expect(view.positions).toBe(elements.length);
      }),
      { cases: 1_000, seed: 4_502 },
    );
  });
});

describe('applyPortfolioEvent', () => {
  it('lays changes over what was there, and takes away what is gone', () => {
    const first = applyPortfolioEvent(
      null,
      'positions',
      JSON.stringify({
        elements: [TOKENS, LOAN],
        keys: ['a', 'b'],
        fetcherReports: [{ id: 'x', status: 'failed' }],
      }),
    );
    const next = applyPortfolioEvent(
      first,
      'changes',
      JSON.stringify({
        elements: [{ ...TOKENS, value: 7 }],
        keys: ['a'],
        removed: ['b'],
        fetcherReports: [{ id: 'x', status: 'succeeded' }],
        tokenInfo: INFO,
      }),
    );
    const view = toPortfolioView(next ?? readEmpty(), new Map());
    expect(view).toMatchObject({ total: 7_000_000_000n, positions: 1, failed: [] });
  });

  it('keeps what was there when an event cannot be read, and waits for the whole', () => {
    const state = readEmpty();
    expect(applyPortfolioEvent(state, 'changes', '{')).toBe(state);
    expect(applyPortfolioEvent(state, 'other', '{}')).toBe(state);
    expect(applyPortfolioEvent(null, 'changes', '{"elements":[]}')).toBeNull();
  });
});

const SOL = 'So11111111111111111111111111111111111111112';
const INFO = { solana: { [SOL]: { symbol: 'SOL', tags: ['verified'] } } };
const FIVE_SOL = {
  type: 'token',
  value: 1_000,
  attributes: {},
  data: { address: SOL, amount: 5, price: 200 },
};
const TOKENS = {
  type: 'multiple',
  platformId: 'wallet',
  label: 'Wallet',
  value: 1_000,
  data: { assets: [FIVE_SOL] },
};
const LOAN = {
  type: 'borrowlend',
  platformId: 'lender',
  label: 'Lending',
  value: 300,
  data: {
    suppliedAssets: [{ ...FIVE_SOL, value: 700 }],
    borrowedAssets: [FIVE_SOL],
    borrowedValue: 400,
    healthRatio: 0.3,
  },
};

function toView(body: object) {
  const state = readPortfolioAnswer(toExactJson({ elements: [], tokenInfo: INFO, ...body })) ?? readEmpty();
  return toPortfolioView(state, new Map([['wallet', 'Wallet']]));
}

function readEmpty() {
  const state = readPortfolioAnswer(toExactJson({ elements: [] }) as ExactJson);
  if (state === null) throw new Error('an object is an answer');
  return state;
}

/** An element of a known type, whose members may be anything. */
function anElement() {
  const any = fc.jsonValue();
  const odd = fc.oneof(any, fc.constant('18446744073709551616'), fc.constant(1e300), fc.constant(null));
  return fc.record({
    type: fc.constantFrom('multiple', 'liquidity', 'borrowlend', 'trade', 'leverage', '__proto__'),
    platformId: odd,
    label: odd,
    value: odd,
    data: fc.record({
      assets: fc.oneof(any, fc.array(any), fc.record({ input: any, output: any })),
      liquidities: fc.array(any),
      suppliedAssets: fc.array(fc.record({ type: any, value: odd, data: any, attributes: any })),
      healthRatio: odd,
      isolated: fc.record({ positions: fc.array(any) }),
      recurring: any,
      filledPercentage: odd,
    }),
  });
}
