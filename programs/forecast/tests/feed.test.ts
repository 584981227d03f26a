import { describe, expect, it } from 'vitest';
import { address } from '../../../src/solana/address.ts';
import { createSettleForecastRound } from '../../../src/protocols/bisonfi-forecast/instructions/forecast-round-instructions.ts';
import { PRICE_FEED_PROGRAM, type PriceFeed } from '../../../src/solana/programs/price-feed/feed.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { ForecastWorld, ONE, OPEN_PRICE, replaceForecastAccount, START } from './world.ts';

describe('swap', () => {
  it.each(BAD)('is refused at a price %s', (_, change) => {
    const world = openWorld();
    world.publish(20n);
    world.write(change(START + 20n));
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(FEED_NOT_GOOD);
    expect(world.refusal(world.sell(world.bob, 'up', ONE))).toBe(FEED_NOT_GOOD);
  });

  it('takes a price of 60 seconds ago that is certain to 2 %, and none that is older', () => {
    const world = openWorld();
    world.publish(20n);
    world.write({ confidence: OPEN_PRICE / 50n });
    world.clock(80n);
    world.must(world.buy(world.alice, 'up', ONE));
    world.clock(81n);
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(FEED_NOT_GOOD);
  });

  it('is refused at another exponent', () => {
    const world = openWorld();
    world.write({ exponent: -7 });
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(FEED_NOT_GOOD);
  });

  it('is refused with another feed, and with an account that only looks like the feed', () => {
    const world = openWorld();
    const other = address('8sVEMnj8pjbTyYYpbpi4KoRjRjvsPVuGbcWNf2iQQ1hW');
    world.post({ price: 2n * OPEN_PRICE }, other);
    expect(world.refusal(replaceForecastAccount(world.buy(world.alice, 'up', ONE), 3, other))).toBe(6003);
    const { data } = world.network.account(world.feed) ?? { data: new Uint8Array() };
    world.network.setData(world.feed, TOKEN_PROGRAM, data);
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(3007);
    world.network.setData(world.feed, PRICE_FEED_PROGRAM, data.with(0, 0));
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(3002);
    world.network.setData(world.feed, PRICE_FEED_PROGRAM, data.subarray(0, 133));
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(3003);
    // An update of which only some signatures were verified.
    world.network.setData(world.feed, PRICE_FEED_PROGRAM, data.with(40, 0));
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(3003);
  });

  it('is refused after the clock was set back, until a price of then is published', () => {
    const world = openWorld();
    world.publish(200n);
    world.clock(100n);
    expect(world.refusal(world.buy(world.alice, 'up', ONE))).toBe(FEED_NOT_GOOD);
    world.publish(100n);
    world.must(world.buy(world.alice, 'up', ONE));
  });
});

describe('open_round', () => {
  it.each(BAD)('is refused at a price %s', (_, change) => {
    const world = new ForecastWorld();
    world.write(change(START));
    expect(world.refusal(world.opening())).toBe(FEED_NOT_GOOD);
  });

  it('is refused at a price that is older than a minute, and with another feed', () => {
    const world = new ForecastWorld();
    world.clock(61n);
    expect(world.refusal(world.opening())).toBe(FEED_NOT_GOOD);
    world.publish(61n);
    const other = address('8sVEMnj8pjbTyYYpbpi4KoRjRjvsPVuGbcWNf2iQQ1hW');
    world.post({ price: 1n }, other);
    expect(world.refusal(replaceForecastAccount(world.opening(), 7, other))).toBe(6003);
    world.must(world.opening());
  });
});

describe('settle', () => {
  it('takes the first update at or after the close only, whoever moves the price around it', () => {
    const world = openWorld();
    // The price rises in the last second before the close, and falls in the first one after it.
    world.publish(299n, 2n * OPEN_PRICE);
    expect(world.refusal(world.settle())).toBe(ROUND_NOT_OVER);
    world.clock(300n);
    expect(world.refusal(world.settle())).toBe(NOT_FIRST_UPDATE);
    world.publish(302n, OPEN_PRICE - 1n);
    // Nobody settles by the update after that.
    const first = world.network.account(world.feed)?.data ?? new Uint8Array();
    world.publish(303n, 2n * OPEN_PRICE);
    expect(world.refusal(world.settle())).toBe(NOT_FIRST_UPDATE);
    world.network.setData(world.feed, PRICE_FEED_PROGRAM, first);
    expect(world.must(world.settle())).toMatchObject([{ outcome: 'down', closePrice: OPEN_PRICE - 1n }]);
    expect(world.refusal(world.settle())).toBe(ROUND_OVER);
  });

  it('is refused by an update of the close itself that another one of that second follows', () => {
    const world = openWorld();
    world.publish(300n, OPEN_PRICE);
    world.publish(300n, OPEN_PRICE - 1n);
    expect(world.refusal(world.settle())).toBe(NOT_FIRST_UPDATE);
  });

  it('takes the first update however old it is by then, for ten minutes', () => {
    const world = openWorld();
    world.publish(300n, OPEN_PRICE - 5n);
    world.clock(899n);
    expect(world.must(world.settle())).toMatchObject([{ outcome: 'down' }]);
    const late = openWorld();
    late.publish(300n, OPEN_PRICE - 5n);
    late.clock(900n);
    expect(late.refusal(late.settle())).toBe(ROUND_OVER);
    expect(late.must(late.void())).toMatchObject([{ outcome: 'void' }]);
    expect(late.refusal(late.void())).toBe(ROUND_OVER);
  });

  it.each(BAD)('is refused at a price %s', (_, change) => {
    const world = openWorld();
    world.publish(300n);
    world.write(change(START + 300n));
    expect(world.refusal(world.settle())).toBe(FEED_NOT_GOOD);
  });

  it('is refused at another exponent, with another feed, and by an update of another price', () => {
    const world = openWorld();
    world.publish(300n);
    const other = address('8sVEMnj8pjbTyYYpbpi4KoRjRjvsPVuGbcWNf2iQQ1hW');
    world.post({ feedId: new Uint8Array(32).fill(8) }, other);
    expect(world.refusal(replaceForecastAccount(world.settle(), 1, other))).toBe(6003);
    expect(world.refusal(replaceForecastAccount(world.settle(), 5, other))).toBe(6003);
    const both = replaceForecastAccount(replaceForecastAccount(world.settle(), 1, other), 5, other);
    expect(world.refusal(both)).toBe(6003);
    world.write({ exponent: -9 });
    expect(world.refusal(world.settle())).toBe(FEED_NOT_GOOD);
  });

  it('takes the first update from another account where somebody has posted later ones to the feed', () => {
    const world = openWorld();
    world.publish(301n, OPEN_PRICE - 1n);
    const first = { previousPublishTime: START, publishTime: START + 301n, price: OPEN_PRICE - 1n };
    world.publish(302n, OPEN_PRICE);
    expect(world.refusal(world.settle())).toBe(NOT_FIRST_UPDATE);
    const posted = address('8sVEMnj8pjbTyYYpbpi4KoRjRjvsPVuGbcWNf2iQQ1hW');
    world.post({ ...first, previousPublishTime: START + 300n }, posted);
    const settle = createSettleForecastRound({ round: world.round, feed: world.feed, update: posted });
    expect(world.refusal(settle)).toBe(NOT_FIRST_UPDATE);
    world.post(first, posted);
    const { data } = world.network.account(posted) ?? { data: new Uint8Array() };
    world.network.setData(posted, TOKEN_PROGRAM, data);
    expect(world.refusal(settle)).toBe(3007);
    world.network.setData(posted, PRICE_FEED_PROGRAM, data);
    expect(world.must(settle)).toMatchObject([{ outcome: 'down', closePrice: OPEN_PRICE - 1n }]);
  });

  it('needs a price of then when the clock was set forward over the close and back', () => {
    const world = openWorld();
    world.publish(400n, OPEN_PRICE - 1n);
    world.clock(250n);
    expect(world.refusal(world.settle())).toBe(ROUND_NOT_OVER);
    expect(world.refusal(world.buy(world.alice, 'down', ONE))).toBe(FEED_NOT_GOOD);
    world.publish(250n, OPEN_PRICE);
    world.must(world.buy(world.alice, 'down', ONE));
    world.publish(300n, OPEN_PRICE);
    expect(world.must(world.settle())).toMatchObject([{ outcome: 'up' }]);
    // What is settled stays so, even before its close.
    world.clock(100n);
    expect(world.refusal(world.settle())).toBe(ROUND_OVER);
    expect(world.refusal(world.buy(world.alice, 'down', ONE))).toBe(ROUND_OVER);
  });
});

function openWorld(): ForecastWorld {
  const world = new ForecastWorld();
  world.open();
  world.must(world.buy(world.bob, 'up', 2n * ONE));
  return world;
}

const FEED_NOT_GOOD = 6004;
const ROUND_OVER = 6006;
const ROUND_NOT_OVER = 6007;
const NOT_FIRST_UPDATE = 6010;

/** Feeds at which nothing is opened, traded or settled at the time that they are published. */
const BAD: readonly (readonly [string, (time: bigint) => Partial<PriceFeed>])[] = [
  ['of the next second', (time) => ({ publishTime: time + 1n })],
  ['that is less certain than 2 %', () => ({ confidence: OPEN_PRICE / 50n + 1n })],
  ['with a confidence beyond all numbers', () => ({ confidence: (1n << 64n) - 1n })],
  ['of 0', () => ({ price: 0n, confidence: 0n })],
  ['below 0', () => ({ price: -1n, confidence: 0n })],
];
