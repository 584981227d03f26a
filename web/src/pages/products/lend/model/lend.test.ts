import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../../src/testing/random.ts';
import { toExactJson } from '../../../../base/exact-json.ts';
import { readBorrowPositions, readBorrowVaults } from './borrow.ts';
import { computeLendValue, readEarnings, readEarnPositions, readEarnTokens } from './earn.ts';
import { computeLoanHealth } from './health.ts';

describe('computeLoanHealth', () => {
  it('says how far the price has to fall', () => {
    const health = toHealth({ supply: '50000000000', borrow: '4000000000' });
    expect(health.state).toBe('safe');
    expect(health.ratio).toBe(400_000n);
    // 4,000 USDC are 85 % of 50 SOL at 94.117647 USDC.
    expect(String(health.liquidationPrice)).toMatch(/^94117647/);
    expect(health.distance).toBe(529_412n);
  });

  it.each([
    ['0', 'free'],
    ['8000000000', 'safe'],
    ['8000100000', 'limited'],
    ['8500000000', 'limited'],
    ['8500100000', 'liquidatable'],
    ['9000100000', 'absorbable'],
  ])('names the state of a debt of %s', (borrow, state) => {
    expect(toHealth({ supply: '50000000000', borrow }).state).toBe(state);
  });

  it('does not know the state without a price, but the price at which it is liquidated', () => {
    const health = toHealth(
      { supply: '50000000000', borrow: '4000000000' },
      { oraclePriceLiquidate: undefined },
    );
    expect(health).toMatchObject({ state: 'unknown', ratio: null, distance: null });
    expect(health.liquidationPrice).not.toBeNull();
  });

  it('calls a debt that nothing secures the worst', () => {
    expect(toHealth({ supply: '0', borrow: '1' })).toMatchObject({ state: 'absorbable', ratio: null });
  });

  it('is never better for more debt', () => {
    const order = ['free', 'safe', 'limited', 'liquidatable', 'absorbable'];
    assertProperty(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 64n }),
        fc.bigInt({ min: 0n, max: 2n ** 64n }),
        fc.bigInt({ min: 0n, max: 2n ** 64n }),
        (supply, borrow, more) => {
          const before = toHealth({ supply: String(supply), borrow: String(borrow) });
          const after = toHealth({ supply: String(supply), borrow: String(borrow + more) });
          expect(order.indexOf(after.state)).toBeGreaterThanOrEqual(order.indexOf(before.state));
          expect((after.distance ?? 1_000_000n) <= (before.distance ?? 1_000_000n)).toBe(true);
        },
      ),
      { cases: 1_000, seed: 4_503 },
    );
  });
});

describe('the readers of lending', () => {
  it('read amounts beyond 2^53, rates and what is lent out', () => {
    const [token] = readEarnTokens(toExactJson([EARN]));
    expect(token).toMatchObject({
      deposited: 18446744073709551615n,
      totalRate: 17_200n,
      receiptSymbol: 'jlSOL',
    });
    expect(token === undefined ? null : computeLendValue(1_000_000_000n, token.token)).toBe(200_000_000_000n);
    const [vault] = readBorrowVaults(toExactJson([VAULT]));
    expect(vault).toMatchObject({ threshold: 850_000n, borrowRate: 41_000n, utilisation: 250_000n });
  });

  it('leave out positions that are closed, and keep those that a liquidation has emptied', () => {
    const closed = { ...POSITION, supply: '0', borrow: '0' };
    expect(readBorrowPositions(toExactJson([closed, { ...closed, isLiquidated: true }]))).toHaveLength(1);
    const position = { token: EARN, shares: '0', underlyingAssets: '0' };
    expect(readEarnPositions(toExactJson([position, { ...position, shares: '5' }]))).toHaveLength(1);
  });

  it('know no value without a price', () => {
    const [token] = readEarnTokens(toExactJson([{ ...EARN, asset: { ...SOL, price: null } }]));
    expect(token === undefined ? 0n : computeLendValue(1n, token.token)).toBeNull();
  });

  it('read what was earned, also when a rounding has made it negative', () => {
    const earnings = readEarnings(toExactJson([{ address: SOL.address, earnings: -1, since: null }]));
    expect(earnings.get(SOL.address)).toEqual({ earned: -1n, since: null });
  });

  it('take any answer without failing', () => {
    const odd = fc.oneof(fc.jsonValue(), fc.constant(SOL), fc.constant(VAULT), fc.constant('1e400'));
    const entry = fc.record({
      id: odd,
      vault: odd,
      asset: odd,
      token: odd,
      supplyToken: odd,
      borrowToken: odd,
      supply: odd,
      borrow: odd,
      address: odd,
    });
    assertProperty(
      fc.property(fc.oneof(fc.array(fc.oneof(entry, odd)), odd), (body) => {
        const value = toExactJson(body);
        readEarnTokens(value);
        readEarnPositions(value);
        readEarnings(value);
        readBorrowVaults(value);
        readBorrowPositions(value).map(computeLoanHealth);
      }),
      { cases: 1_000, seed: 4_504 },
    );
  });
});

const SOL = {
  address: 'So11111111111111111111111111111111111111112',
  symbol: 'WSOL',
  uiSymbol: 'SOL',
  decimals: 9,
  price: '200',
};
const USDC = {
  address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  symbol: 'USDC',
  decimals: 6,
  price: '1',
};
const EARN = {
  address: '2uQsyo1fXXQkDtcpXnLofWy88PxcvnfH2L8FPSE62FVU',
  symbol: 'jlSOL',
  asset: SOL,
  totalAssets: '18446744073709551615',
  totalRate: '172',
};
const VAULT = {
  id: 1,
  supplyToken: SOL,
  borrowToken: USDC,
  collateralFactor: '800',
  liquidationThreshold: '850',
  liquidationMaxLimit: '900',
  borrowRate: '410',
  totalBorrow: '100',
  borrowable: '300',
  oraclePriceLiquidate: '200000000000000000',
};
const POSITION = { id: 2, vault: VAULT, supply: '50000000000', borrow: '4000000000', isLiquidated: false };

function toHealth(amounts: { readonly supply: string; readonly borrow: string }, terms: object = {}) {
  const body = toExactJson([{ ...POSITION, ...amounts, isLiquidated: true, vault: { ...VAULT, ...terms } }]);
  const [position] = readBorrowPositions(body);
  if (position === undefined) throw new Error('the position cannot be read');
  return computeLoanHealth(position);
}
