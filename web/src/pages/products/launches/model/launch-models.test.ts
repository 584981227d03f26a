import { describe, expect, it } from 'vitest';
import { toExactJson } from '../../../../base/exact-json.ts';
import { SOL_MINT, USDC_MINT } from '../../../../base/mints.ts';
import { findOwnImage } from './find-own-image.ts';
import { parseCurve, parseLaunches } from './parse-launches.ts';

describe('parseLaunches', () => {
  it('reads launched tokens alone, with prices of many digits', () => {
    const tokens = [
      { id: SOL_MINT, symbol: 'SOL' },
      {
        id: 'MINT',
        symbol: '\u202ekoob',
        name: '',
        launchpad: 'met-dbc',
        bondingCurve: 43.0397,
        usdPrice: 3.4e-5,
      },
    ];
    expect(parseLaunches(toExactJson(tokens))).toMatchObject([
      {
        mint: 'MINT',
        symbol: 'koob',
        name: 'Token without a name',
        progress: 430_397n,
        price: 34_000_000_000_000_000_000n,
        graduatedPool: null,
      },
    ]);
  });
});

describe('parseCurve', () => {
  it('reads points, and how far the curve is', () => {
    expect(parseCurve(toExactJson(CURVE))).toMatchObject({
      decimals: 6,
      progress: 250_000n,
      now: { sold: 5n, raised: 250n, price: 1_500_000_000_000n },
      points: [{ sold: 0n, raised: 0n, price: 1_000_000_000_000n }],
    });
  });

  it('counts a curve whose liquidity has left as complete', () => {
    const left = { ...CURVE, isComplete: true, isMigrated: true, now: { ...CURVE.now, raised: '0' } };
    expect(parseCurve(toExactJson(left))?.progress).toBe(1_000_000n);
  });

  it.each([{ target: '0' }, { tokenDecimal: 99 }, { now: null }, { poolAddress: 7 }])(
    'finds no curve with %o',
    (changes) => {
      expect(parseCurve(toExactJson({ ...CURVE, ...changes }))).toBeNull();
    },
  );
});

describe('findOwnImage', () => {
  const own = ['http://127.0.0.1:8787', ''];

  it('finds the path of an image of this server', () => {
    expect(findOwnImage(`http://127.0.0.1:8787/images/${SOL_MINT}`, own)).toBe(`/images/${SOL_MINT}`);
  });

  it.each([
    null,
    'none',
    `https://elsewhere.example/images/${SOL_MINT}`,
    'http://127.0.0.1:8787/portal/data/instance',
    `javascript:alert(1)//images/${SOL_MINT}`,
    `http://127.0.0.1:8787@elsewhere.example/images/${SOL_MINT}`,
  ])('does not load %s', (url) => {
    expect(findOwnImage(url, own)).toBeNull();
  });
});

const CURVE = {
  poolAddress: 'POOL',
  quoteMint: USDC_MINT,
  tokenDecimal: 6,
  target: '1000',
  isComplete: false,
  isMigrated: false,
  now: { sold: '5', raised: '250', price: '1.500000000000' },
  points: [{ sold: '0', raised: '0', price: '1.000000000000' }, { sold: 'x' }],
};
