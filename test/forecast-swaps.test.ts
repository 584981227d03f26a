import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { OUTCOME_SIDES } from '../src/protocols/bisonfi-forecast/forecast-program.ts';
import { WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { getGenesisToken } from '../src/solana/known-tokens.ts';
import { TestRound } from '../src/testing/genesis-market/forecasts.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';
import { sampleCases } from '../src/testing/random.ts';

const swap = await openTestSwap();
let round: TestRound;
beforeEach(openRound);

describe('tokens of a round in /swap/v2/order', () => {
  it('are bought for SOL over two hops, and sold for SOL, to the atom of the quote', async () => {
    const [taker, mint] = [swap.wallet.address, round.mint('up')];
    const bought = await swap.order({ inputMint: WRAPPED_SOL_MINT, outputMint: mint, amount: '100000000' });
    expect(bought.routePlan.map(({ swapInfo }) => swapInfo.label).at(-1)).toBe('BisonFi');
    expect(bought.routePlan.length).toBeGreaterThan(1);
    expect(await swap.execute(bought)).toMatchObject({ status: 'Success' });
    const held = swap.holding(taker, mint);
    expect(held).toBe(BigInt(bought.outAmount));
    const sold = await swap.order({ inputMint: mint, outputMint: WRAPPED_SOL_MINT, amount: `${held / 2n}` });
    const before = swap.holding(taker, WRAPPED_SOL_MINT);
    expect(await swap.execute(sold)).toMatchObject({ status: 'Success' });
    expect(swap.holding(taker, mint)).toBe(held - held / 2n);
    const received = swap.holding(taker, WRAPPED_SOL_MINT) - before;
    expect(received).toBe(BigInt(sold.outAmount) - swap.costsOf(sold));
  });

  it('move what is quoted, in any order of trades, prices and times', async () => {
    const counts = { swapped: 0, refused: 0 };
    const cases = sampleCases(trade, { cases: 60, seed: 1, against: 'the programs' });
    for (const [index, { side, isBuy, share, second, price }] of cases.entries()) {
      if (index % 10 === 0) await openRound();
      round.publish(second, price);
      const mint = round.mint(side);
      const [inputMint, outputMint] = isBuy ? [USDC, mint] : [mint, USDC];
      const taker = swap.wallet.address;
      const amount = isBuy ? 5_000_000n * BigInt(share) : (swap.holding(taker, mint) * BigInt(share)) / 100n;
      if (amount === 0n) continue;
      const ordered = swap.order({ inputMint, outputMint, amount: `${amount}`, slippageBps: '0' });
      const order = await ordered.catch(() => null);
      if (order === null) {
        counts.refused++;
        continue;
      }
      const before = swap.holding(taker, outputMint);
      expect(await swap.execute(order)).toMatchObject({
        status: 'Success',
        totalOutputAmount: order.outAmount,
      });
      expect(swap.holding(taker, outputMint) - before).toBe(BigInt(order.outAmount));
      counts.swapped++;
    }
    expect(counts.swapped).toBeGreaterThan(cases.length / 3);
  });

  it('are changed into those of the other side to the atom, although the first swap moves the price of the second', async () => {
    const [taker, up, down] = [swap.wallet.address, round.mint('up'), round.mint('down')];
    await swap.execute(await swap.order({ inputMint: USDC, outputMint: up, amount: '2000000000' }));
    const held = swap.holding(taker, up);
    expect(held).toBeGreaterThan(3_000_000_000n);
    const order = await swap.order({ inputMint: up, outputMint: down, amount: `${held}`, slippageBps: '0' });
    expect(order.routePlan.map(({ swapInfo }) => swapInfo.label)).toEqual(['BisonFi', 'BisonFi']);
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
    expect(swap.holding(taker, down)).toBe(BigInt(order.outAmount));
  });

  it('have no route from 15 seconds before the close on, and after the result', async () => {
    const query = { inputMint: USDC, outputMint: round.mint('down'), amount: '5000000' };
    round.publish(284n, PRICE);
    expect((await swap.order(query)).routePlan).toHaveLength(1);
    round.publish(285n, PRICE);
    await expect(swap.order(query)).rejects.toThrow();
    round.publish(300n, PRICE);
    round.settle();
    await expect(swap.order(query)).rejects.toThrow();
    expect(swap.market.pools.find(round.pool('down'))).toBeNull();
  });

  it('have no price by which a sponsor would pay for accounts, or lists would show them', () => {
    const { prices, pools } = swap.market;
    for (const side of OUTCOME_SIDES) {
      expect(prices.dollarsPerAtom(round.mint(side))).toBeNull();
      expect(prices.worthInDollars(round.mint(side), 1_000_000n)).toBeNull();
      expect([...pools.all()].map(({ pool }) => pool.address)).not.toContain(round.pool(side));
    }
  });

  it('have no route with a price that is older than a minute', async () => {
    const query = { inputMint: USDC, outputMint: round.mint('up'), amount: '5000000' };
    round.passTo(60n);
    expect((await swap.order(query)).routePlan).toHaveLength(1);
    round.passTo(61n);
    await expect(swap.order(query)).rejects.toThrow();
  });
});

it('rounds that are over leave nothing behind in the market, also while holders have not been paid', async () => {
  const { pools, network } = swap.market;
  round.publish(300n, PRICE);
  round.settle();
  const [size, mints, unusable] = [pools.size, pools.counterparts(USDC).size, [...pools.unusable()]];
  for (let count = 0; count < 5; count++) {
    await openRound();
    expect(pools.size).toBe(size + 2);
    const taker = swap.wallet.address;
    const order = await swap.order({ inputMint: USDC, outputMint: round.mint('up'), amount: '7000000' });
    await swap.execute(order);
    round.publish(300n, PRICE);
    round.settle();
    expect(pools.size).toBe(size);
    for (const side of OUTCOME_SIDES) expect(pools.account(round.mint(side))).toBeNull();
    if (count % 2 === 0) continue;
    round.payOut(taker);
    round.close();
    expect(network.account(round.mint('up'))).toBeNull();
  }
  expect(pools.size).toBe(size);
  expect(pools.counterparts(USDC).size).toBe(mints);
  for (const side of OUTCOME_SIDES) expect(pools.counterparts(round.mint(side)).size).toBe(0);
  expect([...pools.unusable()]).toEqual(unusable);
});

const USDC = getGenesisToken('USDC').mint;
const PRICE = 10_850_000_000_000n;
let opened = 0n;

/** Each round opens after the last one. Those that tests leave open are closed to trades by the clock alone. */
async function openRound(): Promise<void> {
  round = TestRound.open(swap.market, 1_800_000_000n + 300n * opened++);
  await vi.waitFor(() => {
    for (const side of OUTCOME_SIDES) expect(swap.market.pools.find(round.pool(side))).not.toBeNull();
  });
}

const trade = fc.record({
  side: fc.constantFrom(...OUTCOME_SIDES),
  isBuy: fc.boolean(),
  share: fc.integer({ min: 1, max: 100 }),
  second: fc.bigInt(0n, 280n),
  price: fc.bigInt(PRICE - PRICE / 1_000n, PRICE + PRICE / 1_000n),
});
