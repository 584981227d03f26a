import { describe, expect, it } from 'vitest';
import type { ForecastSchedule } from '../../../src/protocols/bisonfi-forecast/forecast-config.ts';
import { decodeForecastConfig } from '../../../src/protocols/bisonfi-forecast/forecast-config.ts';
import {
  FORECAST_AUTHORITY,
  FORECAST_CONFIG,
  FORECAST_RESERVE,
} from '../../../src/protocols/bisonfi-forecast/forecast-program.ts';
import {
  createSetForecastSchedules,
  createWithdrawForecastReserve,
} from '../../../src/protocols/bisonfi-forecast/instructions/forecast-config-instructions.ts';
import { createCloseForecastRound } from '../../../src/protocols/bisonfi-forecast/instructions/forecast-round-instructions.ts';
import { ForecastWorld, ONE, OPEN_PRICE, RESERVE, SCHEDULE, START } from './world.ts';

describe('swap', () => {
  it('ends 15 seconds before the close, also where an update beyond it is there', () => {
    const world = new ForecastWorld();
    world.open();
    world.publish(284n);
    world.must(world.buy(world.alice, 'up', ONE));
    world.clock(285n);
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(ROUND_CLOSING);
    expect(world.refusal(world.sell(world.alice, 'up', ONE))).toBe(ROUND_CLOSING);
    world.publish(300n, OPEN_PRICE + 1n);
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(ROUND_CLOSING);
    world.must(world.settle());
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(6006);
  });

  it('pays what is demanded or is refused, and never takes or pays nothing', () => {
    const world = new ForecastWorld();
    world.open();
    const [bought] = world.must(world.buy(world.alice, 'up', ONE, 1_960_746n));
    expect(bought).toMatchObject({ contracts: 1_960_746n });
    expect(world.refusal(world.buy(world.bob, 'up', ONE, 1_960_746n))).toBe(6013);
    expect(world.refusal(world.buy(world.bob, 'up', 0n))).toBe(6012);
    expect(world.refusal(world.sell(world.alice, 'up', 0n))).toBe(6012);
    // A millionth of a token brings less than a millionth of a dollar.
    expect(world.refusal(world.sell(world.alice, 'up', 1n))).toBe(6012);
    expect(world.refusal(world.sell(world.alice, 'up', ONE, 490_020n))).toBe(6013);
  });

  it('sells nothing that the vault could not pay for, and buys back only what leaves enough', () => {
    const world = new ForecastWorld({ funding: 100n * ONE, slope: 0 });
    world.open();
    // 204.08 tokens for 104.08 dollars: as many as there are dollars then.
    expect(world.refusal(world.buy(world.alice, 'up', 105n * ONE))).toBe(6014);
    world.must(world.buy(world.alice, 'up', 104n * ONE));
    expect(world.read().upOutstanding).toBeLessThanOrEqual(world.vault);
    // The other side is free as long as it does not exceed the first one.
    world.must(world.buy(world.bob, 'down', 100n * ONE));
    // What is sold back may not eat up what the other side would win.
    world.must(world.sell(world.alice, 'up', world.tokens(world.alice, 'up')));
    expect(world.vault).toBeGreaterThanOrEqual(world.read().downOutstanding);
  });

  it('is refused where the last token would cost more than 0.99, or bring less than 0.01', () => {
    const world = new ForecastWorld();
    world.open();
    world.must(world.buy(world.alice, 'up', 10n * ONE));
    expect(world.refusal(world.buy(world.alice, 'up', 1n << 60n))).toBe(6011);
    world.publish(200n, 2n * OPEN_PRICE);
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(6011);
    world.publish(201n, OPEN_PRICE / 2n);
    expect(world.refusal(world.sell(world.alice, 'up', ONE))).toBe(6011);
    // The other side is worth a cent then, and nobody gets it for less.
    world.publish(202n, 2n * OPEN_PRICE);
    expect(world.must(world.buy(world.bob, 'down', ONE))).toMatchObject([{ price: 10_000n }]);
  });
});

describe('open_round', () => {
  it('is for the times of its schedule, until 45 seconds before the close', () => {
    const world = new ForecastWorld();
    expect(world.refusal(world.opening({ openTime: START + 300n }))).toBe(INVALID_OPEN_TIME);
    expect(world.refusal(world.opening({ openTime: START - 300n }))).toBe(INVALID_OPEN_TIME);
    expect(world.refusal(world.opening({ openTime: START - 1n }))).toBe(INVALID_OPEN_TIME);
    expect(world.refusal(world.opening({ openTime: -300n }))).toBe(INVALID_OPEN_TIME);
    expect(world.refusal(world.opening({ openTime: (1n << 63n) - 1n }))).toBe(6020);
    world.publish(256n);
    expect(world.refusal(world.opening())).toBe(INVALID_OPEN_TIME);
    world.publish(255n, OPEN_PRICE + 7n);
    expect(world.must(world.opening())).toMatchObject([{ openPrice: OPEN_PRICE + 7n }]);
    // It exists.
    expect(world.refusal(world.opening())).toBeDefined();
  });

  it('is for the operator and a schedule that exists, and as long as the reserve lasts', () => {
    const world = new ForecastWorld();
    expect(world.refusal(world.opening({ operator: world.stranger }))).toBe(INVALID_OPERATOR);
    expect(world.refusal(world.opening({ index: 2 }))).toBe(INVALID_SCHEDULE);
    const poor = new ForecastWorld({ funding: RESERVE + 1n });
    expect(poor.refusal(poor.opening())).toBe(6019);
  });
});

describe('close_round', () => {
  it('waits for the result and for the last token, and is for the operator', () => {
    const world = new ForecastWorld();
    world.open();
    world.must(world.buy(world.alice, 'down', ONE));
    expect(world.refusal(world.close())).toBe(6009);
    world.publish(300n);
    world.must(world.settle());
    expect(world.refusal(world.close())).toBe(6018);
    world.must(world.payout(world.alice, 'down'));
    expect(world.refusal(createCloseForecastRound(world.stranger, world.round))).toBe(INVALID_OPERATOR);
    world.must(world.close());
    expect(world.refusal(world.close())).toBe(3012);
  });
});

describe('set_schedules', () => {
  it('replaces all schedules, and is for the operator', () => {
    const world = new ForecastWorld();
    const schedules = [{ ...SCHEDULE, seconds: 900, funding: 7n }];
    expect(world.refusal(createSetForecastSchedules(world.stranger, schedules))).toBe(INVALID_OPERATOR);
    world.must(createSetForecastSchedules(world.operator, schedules));
    const data = world.network.account(FORECAST_CONFIG)?.data ?? new Uint8Array();
    expect(decodeForecastConfig(data)).toEqual({ operator: world.operator, schedules });
  });

  it.each<readonly [string, Partial<ForecastSchedule>]>([
    ['other seconds', { seconds: 600 }],
    ['no deviation', { deviation: 0 }],
    ['a deviation of more than the price', { deviation: 1_000_001 }],
    ['a spread of nearly a dollar', { halfSpread: 490_001 }],
    ['a steep slope', { slope: 1_000_000_001 }],
    ['no asset', { asset: '' }],
    ['an asset that is no text', { asset: 'B C' }],
  ])('is refused with %s', (_, change) => {
    const world = new ForecastWorld();
    const schedules = [SCHEDULE, { ...SCHEDULE, ...change }];
    expect(world.refusal(createSetForecastSchedules(world.operator, schedules))).toBe(INVALID_SCHEDULE);
  });

  it('leaves open rounds their numbers', () => {
    const world = new ForecastWorld();
    world.open();
    world.must(createSetForecastSchedules(world.operator, [{ ...SCHEDULE, halfSpread: 100_000 }]));
    expect(world.must(world.buy(world.alice, 'up', ONE))).toMatchObject([{ price: 510_000n }]);
  });
});

describe('withdraw', () => {
  it('takes from the reserve only what is in it, and is for the operator', () => {
    const world = new ForecastWorld();
    world.open();
    const destination = world.give(world.stranger, 0n);
    const take = (amount: bigint, operator = world.operator) =>
      createWithdrawForecastReserve(operator, { amount, destination });
    expect(world.refusal(take(1n, world.stranger))).toBe(INVALID_OPERATOR);
    expect(world.refusal(take(0n))).toBe(6012);
    expect(world.refusal(take(RESERVE - SCHEDULE.funding + 1n))).toBe(6019);
    const itself = { amount: 1n, destination: FORECAST_RESERVE };
    expect(world.refusal(createWithdrawForecastReserve(world.operator, itself))).toBe(6016);
    world.must(take(RESERVE - SCHEDULE.funding));
    expect(world.usdc(world.stranger)).toBe(RESERVE - SCHEDULE.funding);
    expect(world.usdc(FORECAST_AUTHORITY.address)).toBe(0n);
    expect(world.vault).toBe(SCHEDULE.funding);
  });
});

const INVALID_OPERATOR = 6000;
const INVALID_SCHEDULE = 6001;
const INVALID_OPEN_TIME = 6002;
const ROUND_CLOSING = 6005;
