import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { LIQUIDITY_ERRORS } from '../../../src/protocols/jupiter-lend/errors/liquidity.ts';
import {
  AUTHORIZATION_LIST,
  deriveBorrowPositionAddress,
  deriveClaimAddress,
  LIQUIDITY,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveSupplyPositionAddress,
} from '../../../src/protocols/jupiter-lend/liquidity/addresses.ts';
import { computeExchangePricesAt } from '../../../src/protocols/jupiter-lend/liquidity/exchange-prices.ts';
import { LIQUIDITY_ACCOUNT, RESERVE } from '../../../src/protocols/jupiter-lend/liquidity/layouts.ts';
import { operate } from '../../../src/protocols/jupiter-lend/liquidity/operate-liquidity.ts';
import { refreshReserve } from '../../../src/protocols/jupiter-lend/liquidity/rates.ts';
import type { Address } from '../../../src/solana/address.ts';
import * as addresses from './addresses.ts';
import { updateExchangePrice, updateRateDataV2 } from './instructions.ts';
import { LiquidityWorld } from './world.ts';

describe('operate', () => {
  it('predicts the accounts that the program leaves, and its errors, over random histories', () => {
    const property = fc.property(fc.array(step, { minLength: 30, maxLength: 30 }), (steps) => {
      const world = new LiquidityWorld();
      const protocols = [world.protocol(), world.protocol(), world.protocol(0)] as const;
      world.operate(protocols[0], 50_000_000n, 0n);
      for (const { protocol: index, supply, borrow, one, seconds, refresh } of steps) {
        world.pass(seconds);
        const protocol = protocols[index] ?? protocols[0];
        if (refresh) comparePrices(world, protocol);
        const amounts = {
          supply: one === 'borrow' ? 0n : supply,
          borrow: one === 'supply' ? 0n : borrow,
        };
        const before = world.state(protocol);
        const predicted = operate(before, amounts, world.now());
        const { error } = world.operate(protocol, amounts.supply, amounts.borrow);
        if (predicted.ok) {
          expect(error).toBeNull();
          expect(world.state(protocol)).toEqual(predicted.state);
        } else {
          const code =
            predicted.error === 'LibraryMathError'
              ? LIBRARY_MATH
              : 6000 + LIQUIDITY_ERRORS.indexOf(predicted.error);
          expect(error?.custom).toBe(code);
          expect(world.state(protocol).supply).toEqual(before.supply);
        }
      }
    });
    assertProperty(property, { cases: 40, short: 10, seed: SEED, against: 'the program' });
  });

  it('follows a curve with two kinks', () => {
    const world = new LiquidityWorld();
    const rates = { kink1: 3000n, kink2: 8000n, atZero: 900n, atKink1: 200n, atKink2: 1200n, atMax: 30_000n };
    world.must(updateRateDataV2(world.admin, world.token.mint, rates));
    const protocol = world.protocol();
    world.operate(protocol, 20_000_000n, 0n);
    for (const borrow of [1_000_000n, 5_000_000n, 2_000_000n, 1_999_990n]) {
      world.pass(100_000n);
      const predicted = operate(world.state(protocol), { supply: 0n, borrow }, world.now());
      world.operate(protocol, 0n, borrow);
      expect({ ok: true, state: world.state(protocol) }).toMatchObject({
        ok: predicted.ok,
        state: predicted.ok ? predicted.state : null,
      });
    }
  });
});

/** Checks the prices that `update_exchange_price` computes for the present time. */
function comparePrices(world: LiquidityWorld, protocol: Address): void {
  const { reserve, rateModel } = world.state(protocol);
  const prices = computeExchangePricesAt(reserve, world.now());
  world.must(updateExchangePrice(world.token.mint));
  const data = world.network.account(deriveReserveAddress(world.token.mint))?.data ?? new Uint8Array(0);
  expect(RESERVE.decode(data)).toEqual(refreshReserve(reserve, prices, rateModel, world.now()));
}

describe('the addresses of the liquidity program', () => {
  it('are those at which the program creates its accounts', () => {
    const world = new LiquidityWorld();
    const protocol = world.protocol();
    const { mint } = world.token;
    for (const address of [
      AUTHORIZATION_LIST.address,
      deriveReserveAddress(mint),
      deriveRateModelAddress(mint),
      deriveSupplyPositionAddress(mint, protocol),
      deriveBorrowPositionAddress(mint, protocol),
    ]) {
      expect(world.network.account(address)?.owner).toBe(addresses.LIQUIDITY_PROGRAM);
    }
    expect(deriveClaimAddress(protocol, mint)).toBe(addresses.claimAddress(protocol, mint));
    const account = world.network.account(LIQUIDITY.address)?.data ?? new Uint8Array(0);
    expect(LIQUIDITY_ACCOUNT.decode(account)).toEqual({
      authority: world.admin,
      revenueCollector: world.admin,
      locked: false,
      bump: LIQUIDITY.bump,
    });
  });
});

const SEED = 20_261_123;
const LIBRARY_MATH = 6000;

/** Some amounts near the limits of the fixture, and some far beyond them. */
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt(-3_000_000n, 3_000_000n) },
  { weight: 2, arbitrary: fc.bigInt(-40n, 40n) },
);
const step = fc.record({
  protocol: fc.nat({ max: 2 }),
  supply: fc.oneof({ weight: 20, arbitrary: amount }, { weight: 1, arbitrary: fc.constant(-(1n << 64n)) }),
  borrow: fc.oneof({ weight: 20, arbitrary: amount }, { weight: 1, arbitrary: fc.constant(1n << 64n) }),
  one: fc.constantFrom('supply', 'borrow', 'both'),
  seconds: fc.oneof(fc.bigInt(0n, 10n), fc.bigInt(0n, 4_000_000n)),
  refresh: fc.boolean(),
});
