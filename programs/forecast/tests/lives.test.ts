import { describe, expect, it } from 'vitest';
import {
  deriveForecastSide,
  deriveForecastUsdc,
  deriveForecastVault,
} from '../../../src/protocols/bisonfi-forecast/forecast-program.ts';
import { decodeForecastSide } from '../../../src/protocols/bisonfi-forecast/forecast-accounts.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import { ForecastWorld, ONE, OPEN_PRICE, PURSE, RESERVE, SCHEDULE, START } from './world.ts';

describe('a round', () => {
  it('opens at the price of the feed, sells, is settled, pays the winner and leaves nothing', () => {
    const world = new ForecastWorld();
    const lamports = world.lamports(world.operator);
    const [opened] = world.must(world.opening());
    const upMint = world.mint('up');
    const downMint = world.mint('down');
    expect(opened).toEqual({
      kind: 'round-opened',
      round: world.round,
      feed: world.feed,
      asset: 'BTC',
      seconds: 300,
      openTime: START,
      closeTime: START + 300n,
      openPrice: OPEN_PRICE,
      exponent: -8,
      upMint,
      downMint,
      funding: SCHEDULE.funding,
      timestamp: START,
    });
    expect(world.vault).toBe(SCHEDULE.funding);
    expect(world.reserve).toBe(RESERVE - SCHEDULE.funding);

    const account = world.openTokens(world.alice, 'up');
    const [bought] = world.must(world.buy(world.alice, 'up', 100n * ONE));
    // At 0.51 and a cent for each 1,000 tokens: (sqrt(0.51^2 + 2 x 0.00001 x 100) - 0.51) / 0.00001.
    const contracts = 195_702_944n;
    expect(bought).toEqual({
      kind: 'swapped',
      round: world.round,
      owner: world.alice,
      account,
      authority: world.alice,
      side: 'up',
      isBuy: true,
      contracts,
      usdc: 100n * ONE,
      fairPrice: 500_000n,
      price: 510_000n,
      feedPrice: OPEN_PRICE,
      upOutstanding: contracts,
      downOutstanding: 0n,
      timestamp: START,
    });
    expect(world.tokens(world.alice, 'up')).toBe(contracts);
    expect(world.read()).toMatchObject({ upOutstanding: contracts, volume: 100n * ONE });

    world.publish(300n, OPEN_PRICE + 1n);
    const [settled] = world.must(world.settle());
    expect(settled).toEqual({
      kind: 'round-settled',
      round: world.round,
      outcome: 'up',
      openPrice: OPEN_PRICE,
      closePrice: OPEN_PRICE + 1n,
      upOutstanding: contracts,
      downOutstanding: 0n,
      returned: SCHEDULE.funding + 100n * ONE - contracts,
      timestamp: START + 300n,
    });
    expect(world.vault).toBe(contracts);
    const [paid] = world.must(world.payout(world.alice, 'up'));
    expect(paid).toEqual({
      kind: 'paid-out',
      round: world.round,
      owner: world.alice,
      account,
      side: 'up',
      outcome: 'up',
      burned: contracts,
      paid: contracts,
      timestamp: START + 300n,
    });
    expect(world.usdc(world.alice)).toBe(PURSE - 100n * ONE + contracts);

    const [closed] = world.must(world.close());
    expect(closed).toEqual({
      kind: 'round-closed',
      round: world.round,
      returned: 0n,
      timestamp: START + 300n,
    });
    const sides = [deriveForecastSide(world.round, 'up'), deriveForecastSide(world.round, 'down')];
    const accounts = [world.round, upMint, downMint, deriveForecastVault(world.round)];
    for (const gone of [...accounts, ...sides.map(({ address }) => address)]) {
      expect(world.exists(gone), gone).toBe(false);
    }
    expect(world.lamports(world.operator)).toBe(lamports);
    expect(world.reserve + world.usdc(world.alice)).toBe(RESERVE + PURSE);
  });

  it('names its side and the minute of its close in its mints, of which it has all authorities', () => {
    const world = new ForecastWorld();
    world.must(world.opening());
    const data = world.network.account(world.mint('down'))?.data ?? new Uint8Array();
    // 1,800,000,300 is 08:05 in the morning.
    expect(Buffer.from(data).toString('latin1')).toContain('BTC down 08:05 UTC');
    const { mintAuthority, freezeAuthority, decimals, extensions } = decodeMint(data);
    expect({ mintAuthority, freezeAuthority, decimals }).toEqual({
      mintAuthority: world.round,
      freezeAuthority: null,
      decimals: 6,
    });
    expect(extensions.map(({ type }) => type)).toEqual([3, 12, 18, 19]);
    const side = world.network.account(deriveForecastSide(world.round, 'down').address);
    expect(decodeForecastSide(side?.data ?? new Uint8Array())).toMatchObject({
      round: world.round,
      side: 'down',
      mint: world.mint('down'),
      feed: world.feed,
      vault: deriveForecastVault(world.round),
      closeTime: START + 300n,
    });
  });

  it('goes to DOWN when the price is one unit less, and to UP when it is the same', () => {
    for (const [price, outcome] of [
      [OPEN_PRICE - 1n, 'down'],
      [OPEN_PRICE, 'up'],
    ] as const) {
      const world = new ForecastWorld();
      world.open();
      world.must(world.buy(world.alice, 'up', ONE), world.buy(world.bob, 'down', ONE));
      world.publish(300n, price);
      expect(world.must(world.settle())).toMatchObject([{ outcome, closePrice: price }]);
      const tokens = { up: world.tokens(world.alice, 'up'), down: world.tokens(world.bob, 'down') };
      const [up] = world.must(world.payout(world.alice, 'up'));
      const [down] = world.must(world.payout(world.bob, 'down'));
      expect(up).toMatchObject({ burned: tokens.up, paid: outcome === 'up' ? tokens.up : 0n });
      expect(down).toMatchObject({ burned: tokens.down, paid: outcome === 'down' ? tokens.down : 0n });
      world.must(world.close());
    }
  });

  it('that gets no result in ten minutes is void, and pays half for each token of both sides', () => {
    const world = new ForecastWorld();
    world.open();
    world.must(world.buy(world.alice, 'up', 7n * ONE), world.buy(world.bob, 'down', 5n * ONE));
    const up = world.tokens(world.alice, 'up');
    const down = world.tokens(world.bob, 'down');
    world.clock(899n);
    expect(world.refusal(world.void())).toBe(6008);
    world.clock(900n);
    expect(world.must(world.void())).toMatchObject([{ outcome: 'void', closePrice: 0n }]);
    expect(world.vault).toBe(up / 2n + down / 2n);
    expect(world.must(world.payout(world.alice, 'up'))).toMatchObject([{ outcome: 'void', paid: up / 2n }]);
    expect(world.must(world.payout(world.bob, 'down', world.bob))).toMatchObject([{ paid: down / 2n }]);
    world.must(world.close());
    const sum = world.reserve + world.usdc(world.alice) + world.usdc(world.bob);
    expect(sum).toBe(RESERVE + 2n * PURSE);
  });

  it('of 15 minutes stands beside one of 5', () => {
    const world = new ForecastWorld();
    world.must(world.opening(), world.opening({ index: 1 }));
    expect(world.reserve).toBe(RESERVE - 2n * SCHEDULE.funding);
    expect(deriveForecastUsdc(world.round)).toBe(deriveForecastVault(world.round));
  });
});
