import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../src/testing/random.ts';
import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';
import {
  findRequestProblems,
  formatQuotePath,
  formatRouteSearch,
  parseRouteRequest,
  type QuoteSource,
  reverseRequest,
  toQuoteParameters,
} from './route-request.ts';

describe('parseRouteRequest', () => {
  it('begins with one SOL for USDC', () => {
    const { inputMint, outputMint, amount, source, venueRule } = FIRST;
    expect({ inputMint, outputMint, amount, source, venueRule }).toEqual({
      inputMint: SOL_MINT,
      outputMint: USDC_MINT,
      amount: '1',
      source: 'order',
      venueRule: 'all',
    });
  });

  it('reads back what formatRouteSearch writes', () => {
    assertProperty(
      fc.property(REQUESTS, (request) => {
        expect(parseRouteRequest(formatRouteSearch(request))).toEqual(request);
      }),
      { cases: 100, seed: 4423 },
    );
  });

  it('understands the names of the parameters of an order, with an amount in smallest units', () => {
    const query = { inputMint: USDC_MINT, outputMint: SOL_MINT, amount: '1500000', slippageBps: '30' };
    const { inputMint, amount, slippage } = parseRouteRequest({ ...query, swapMode: 'ExactIn' }, 6);
    expect([inputMint, amount, slippage]).toEqual([USDC_MINT, '1.5', '30']);
    expect(parseRouteRequest({ ...query, amount: '1234567890123' }, 6).amount).toBe('1234567.890123');
    expect(parseRouteRequest({ from: USDC_MINT, amount: '1.5' }, 6).amount).toBe('1.5');
  });

  it.each([
    { source: '__proto__' },
    { source: 'constructor' },
    { mode: 'exactout', amount: 5, dexes: ['x'] },
    { dexes: ',, ,' },
  ])('takes nothing strange from the address: %j', (search) => {
    expect(parseRouteRequest(search)).toEqual(FIRST);
  });
});

describe('findRequestProblems', () => {
  it.each([
    ['amount', { amount: '0' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '0.0000000001' }],
    ['amount', { amount: '18446744073.709551616' }],
    ['inputMint', { inputMint: 'SOL' }],
    ['outputMint', { outputMint: SOL_MINT }],
    ['slippage', { slippage: '10001' }],
    ['taker', { taker: '<b>' }],
    ['maxAccounts', { source: 'pools-v1', maxAccounts: '0' }],
  ] as const)('finds what is wrong with %s in %j', (field, part) => {
    expect([...findRequestProblems({ ...FIRST, ...part }, 9).keys()]).toEqual([field]);
  });

  it('finds nothing wrong with the first request, nor with smallest units where decimals are not known', () => {
    expect(findRequestProblems(FIRST, 9).size).toBe(0);
    expect(findRequestProblems({ ...FIRST, amount: '12345' }, null).size).toBe(0);
    expect(findRequestProblems({ ...FIRST, amount: '1.5' }, null).get('amount')).toMatch(/smallest units/);
  });
});

describe('toQuoteParameters', () => {
  it('gives the endpoint smallest units, and only what it knows', () => {
    const all = { ...FIRST, amount: '0.1', swapMode: 'ExactOut', taker: USDC_MINT, direct: true } as const;
    expect(toQuoteParameters({ ...all, source: 'order' }, 9)).toEqual([
      ['inputMint', SOL_MINT],
      ['outputMint', USDC_MINT],
      ['amount', '100000000'],
      ['swapMode', 'ExactOut'],
      ['taker', USDC_MINT],
    ]);
    expect(names(toQuoteParameters({ ...all, source: 'pools', splits: false }, 9))).toEqual([
      'inputMint',
      'outputMint',
      'amount',
      'dynamicSwap',
    ]);
    expect(names(toQuoteParameters({ ...all, source: 'pools-v1' }, 9))).toEqual([
      'inputMint',
      'outputMint',
      'amount',
      'swapMode',
      'onlyDirectRoutes',
    ]);
  });

  it('is written as a path whose values cannot leave their places', () => {
    const hostile = { ...FIRST, venueRule: 'only', venues: ['A&taker=x', 'B#'] } as const;
    const path = formatQuotePath('order', toQuoteParameters(hostile, 9));
    expect(path.startsWith('/swap/v2/order?')).toBe(true);
    expect(new URLSearchParams(path.split('?')[1]).get('dexes')).toBe('A&taker=x,B#');
    expect(new URLSearchParams(path.split('?')[1]).get('taker')).toBeNull();
  });
});

describe('reverseRequest', () => {
  it('exchanges the tokens', () => {
    expect(reverseRequest(reverseRequest(FIRST))).toEqual(FIRST);
    expect(reverseRequest(FIRST).inputMint).toBe(USDC_MINT);
  });
});

const FIRST = parseRouteRequest({});
const TEXT = fc.stringMatching(/^[\w.<>&#=%+" -]{1,20}$/).map((text) => text.trim());
const LABELS = fc.uniqueArray(fc.constantFrom('Whirlpool', 'Raydium CP', 'Meteora DAMM v2'), {
  minLength: 1,
});

const REQUESTS = fc
  .record({
    source: fc.constantFrom<QuoteSource>('order', 'pools', 'pools-v1'),
    inputMint: TEXT,
    outputMint: TEXT,
    amount: TEXT,
    swapMode: fc.constantFrom('ExactIn' as const, 'ExactOut' as const),
    slippage: TEXT,
    taker: TEXT,
    venueRule: fc.constantFrom('all' as const, 'only' as const, 'except' as const),
    venues: LABELS,
    splits: fc.boolean(),
    direct: fc.boolean(),
    anyIntermediate: fc.boolean(),
    maxAccounts: TEXT,
  })
  .map((request) => (request.venueRule === 'all' ? { ...request, venues: [] } : request));

function names(parameters: readonly (readonly [string, string])[]): readonly string[] {
  return parameters.map(([name]) => name);
}
