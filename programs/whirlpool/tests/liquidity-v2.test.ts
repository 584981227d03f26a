import * as orca from '@orca-so/whirlpools-core';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleCases } from '../../../src/testing/random.ts';
import { swapV2 } from '../../../src/protocols/whirlpool/venue/instructions.ts';
import { encodeWhirlpool, type WhirlpoolSides } from '../../../src/protocols/whirlpool/program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import { computeSqrtPriceAtTick } from '../../../src/protocols/whirlpool/program/tick-math.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { type Pool, swapPool, USER, USER_TOKENS } from './fixture.ts';
import { changeLiquidity, openPosition, positionOf, tagOf, updateFees } from './instructions.ts';
import {
  changeLiquidityV2,
  collectFeesV2,
  increaseByAmounts,
  initializeDynamicTickArray,
  openPosition2022,
  type Slices,
} from './instructions-v2.ts';
import {
  ADMIN,
  LIQUIDITY,
  network,
  NO_LIMITS,
  positionOfAccounts,
  refuse,
  send,
  SPACING,
  SPAN,
  state,
  succeed,
} from './liquidity-world.ts';
import { fees, fresh, made, open, paidFor, PRICE, startOverWithFees } from './extended-world.ts';

beforeEach(() => startOverWithFees());

describe('the newer instructions over liquidity', () => {
  it.each([
    ['around the price', -640, 640],
    ['below it', -1280, -640],
    ['above it', 640, 1280],
    ['across arrays', -SPAN, SPAN],
  ])('move the tokens that Orca’s own library says, with transfer fees: %s', (_, lower, upper) => {
    const accounts = open(lower, upper);
    const quote = orca.increaseLiquidityQuote(LIQUIDITY, 0, PRICE, lower, upper, ...fees);
    const most = [quote.tokenEstA, quote.tokenEstB] as const;
    for (const side of [0, 1] as const) {
      if (most[side] === 0n) continue;
      const tight = most.map((each, i) => (i === side ? each - 1n : each)) as [bigint, bigint];
      refuse(6017, changeLiquidityV2('increase', accounts, LIQUIDITY, tight));
    }
    expect(paidFor(() => succeed(changeLiquidityV2('increase', accounts, LIQUIDITY, most)))).toEqual(most);

    const back = orca.decreaseLiquidityQuote(LIQUIDITY, 0, PRICE, lower, upper, ...fees);
    const least = [back.tokenEstA, back.tokenEstB] as const;
    refuse(6018, changeLiquidityV2('decrease', accounts, LIQUIDITY, [least[0] + 1n, least[1]]));
    const paid = paidFor(() => succeed(changeLiquidityV2('decrease', accounts, LIQUIDITY, least)));
    expect(paid).toEqual(least.map((each) => -each));
  });

  it.each([
    [1_000_000_000n, 1_000_000_000n, -640, 640],
    [1_000_000_000n, 500n, -640, 640],
    [123_456n, U64_MAX >> 8n, -64, 1280],
    [1_000_000n, 0n, 640, 1280],
    [0n, 1_000_000n, -1280, -640],
    [7_777_777n, 99n, 0, 64],
    [99n, 7_777_777n, -64, 0],
  ])('turn %i and %i of the tokens into as much liquidity as Orca’s own library', (a, b, lower, upper) => {
    const accounts = open(lower, upper);
    succeed(increaseByAmounts(accounts, [a, b]));
    expect(positionOfAccounts(accounts).liquidity).toBe(mostLiquidity(PRICE, lower, upper, [a, b]));
  });

  it(`do so at any price, in any range and for any amounts (seed ${SEED})`, () => {
    const { address } = made;
    const cases = sampleCases(offers, { cases: 200, short: 80, seed: SEED, against: 'Orca’s own library' });
    let served = 0;
    for (const each of cases) {
      const { tick, lower, upper, amounts } = each;
      const sqrtPrice = computeSqrtPriceAtTick(tick) + each.beyond;
      network.setData(
        address,
        WHIRLPOOL_PROGRAM,
        encodeWhirlpool({ ...state(made), sqrtPrice, tick, liquidity: 0n }),
      );
      const accounts = fresh(lower, upper);
      const arrays = [...new Set(accounts.arrays)];
      succeed(
        ...arrays.map((start) => initializeDynamicTickArray(address, USER, start, true)),
        openPosition2022(address, USER, accounts.position, [lower, upper], false),
      );
      const expected = mostLiquidity(sqrtPrice, lower, upper, amounts);
      const add = increaseByAmounts(accounts, amounts);
      if (expected === null) continue;
      if (expected === 0n) {
        refuse(6012, add);
        continue;
      }
      const quote = orca.increaseLiquidityQuote(expected, 0, sqrtPrice, lower, upper, ...fees);
      expect(paidFor(() => succeed(add))).toEqual([quote.tokenEstA, quote.tokenEstB]);
      expect(positionOfAccounts(accounts).liquidity).toBe(expected);
      succeed(changeLiquidityV2('decrease', accounts, expected, [0n, 0n]));
      served++;
    }
    expect(served).toBeGreaterThan(cases.length / 2);
  });

  it('refuse amounts that are worth no liquidity, and prices that have moved', () => {
    const accounts = open(-640, 640);
    refuse(6012, increaseByAmounts(accounts, [0n, 1_000n]));
    refuse(6069, increaseByAmounts(accounts, [1_000n, 1_000n], [PRICE + 1n, PRICE + 2n]));
    refuse(6069, increaseByAmounts(accounts, [1_000n, 1_000n], [0n, PRICE - 1n]));
    refuse(102, {
      ...increaseByAmounts(accounts, [1n, 1n]),
      data: tagOf('increase_liquidity_by_token_amounts_v2'),
    });
  });

  it('accept accounts for transfer hooks only after their own, and count them', () => {
    const accounts = open(-640, 640);
    const change = (slices: Slices) => changeLiquidityV2('increase', accounts, 1_000n, NO_LIMITS, slices);
    refuse(6048, change([[6, 1]]));
    refuse(6049, change([[0, 1]]));
    succeed(change([[0, 0]]));
  });

  it('serve positions of either token program, and pay their fees out', () => {
    const [extended, plain] = [open(-640, 640), fresh(-640, 640)];
    const older = { ...plain, position: positionOf(namedAddress('older position'), USER) };
    succeed(openPosition(made.address, USER, older.position, -640, 640));
    for (const each of [extended, older]) succeed(changeLiquidityV2('increase', each, LIQUIDITY, NO_LIMITS));
    // The plain instruction cannot move tokens of Token-2022.
    expect(send(changeLiquidity('decrease', extended, 1n, [0n, 0n])).error?.kind).toBe('InvalidAccountData');
    swapIn(made, 1_000_000_000n);
    for (const each of [extended, older]) {
      succeed(updateFees(each));
      const [owed] = positionOfAccounts(each).feesOwed;
      expect(owed).toBeGreaterThan(1_000_000n);
      const { feeBps, maxFee } = fees[0];
      const withheld = (owed * BigInt(feeBps) + 9_999n) / 10_000n;
      const arriving = owed - (withheld < maxFee ? withheld : maxFee);
      expect(paidFor(() => succeed(collectFeesV2(each)))).toEqual([-arriving, 0n]);
      expect(positionOfAccounts(each).feesOwed).toEqual([0n, 0n]);
      refuse(6019, collectFeesV2({ ...each, position: { ...each.position, owner: ADMIN } }));
    }
  });
});

const SEED = 20_261_126;

/**
 * Returns the liquidity that Orca's own library computes from each amount alone, the smaller one if both are needed.
 * Returns null if the library computes none, for example because more of the other token than a u64 would be needed.
 */
function mostLiquidity(
  price: bigint,
  lower: number,
  upper: number,
  [a, b]: WhirlpoolSides<bigint>,
): bigint | null {
  const of = (run: () => orca.IncreaseLiquidityQuote): bigint | null => {
    try {
      return run().liquidityDelta;
    } catch {
      return null;
    }
  };
  const ofA = of(() => orca.increaseLiquidityQuoteA(a, 0, price, lower, upper, ...fees));
  const ofB = of(() => orca.increaseLiquidityQuoteB(b, 0, price, lower, upper, ...fees));
  if (price <= computeSqrtPriceAtTick(lower)) return ofA;
  if (price >= computeSqrtPriceAtTick(upper)) return ofB;
  if (ofA === null || ofB === null) return ofA ?? ofB;
  if (ofA < ofB) return ofA;
  return ofB;
}

const amount = fc
  .tuple(fc.integer({ min: 0, max: 44 }), fc.bigInt(1n, 0xffffn))
  .map(([bits, lead]) => lead << BigInt(bits));

/** Prices and ranges in spacings. The range is around the price or beside it. */
const offers = fc
  .record({
    tick: fc.integer({ min: -200_000, max: 200_000 }),
    beyond: fc.bigInt(0n, 1_000n),
    from: fc.integer({ min: -60, max: 30 }),
    width: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 3_000 })),
    amounts: fc.tuple(amount, amount),
  })
  .map(({ from, width, ...rest }) => {
    const lower = (Math.round(rest.tick / SPACING) + from) * SPACING;
    return { ...rest, lower, upper: lower + width * SPACING };
  });

/** Swaps token A for token B, which the pool must have. */
function swapIn(pool: Pool, amount: bigint): void {
  const { tick, tickSpacing } = state(pool);
  const at = { tick, tickSpacing, feeRate: 0, protocolFeeRate: 0, sqrtPrice: 0n, ranges: [] };
  const user = { authority: USER, source: USER_TOKENS[0], destination: USER_TOKENS[1] };
  const args = { amount, otherAmountThreshold: 0n, sqrtPriceLimit: 0n, exactIn: true };
  succeed(swapV2(swapPool(pool, at), pool.tokens[0].mint, user, args));
}
