import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ForecastRoundFollower } from '../src/forecasts/rounds/forecast-round-follower.ts';
import { getGenesisToken } from '../src/solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { openTestForecastRecord, type TestForecastRecord } from '../src/testing/forecasts/record-rig.ts';
import { TestRound } from '../src/testing/genesis-market/forecasts.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';
import { openTestStore, type TestStore } from '../src/testing/store/test-store.ts';
import { ManualTimers } from '../src/testing/timers.ts';

describe('the record of forecasts', () => {
  it('has what the taker paid and got within a route, although the taker names other tokens', async () => {
    const [taker, mint] = [swap.wallet.address, round.mint('up')];
    const bought = await swap.order({ inputMint: WRAPPED_SOL_MINT, outputMint: mint, amount: '100000000' });
    await swap.execute(bought);
    await record.catchUp();
    const [purchase] = await record.rows();
    expect(purchase).toMatchObject({
      eventType: 'order_filled',
      owner: taker,
      isBuy: true,
      filledContracts: BigInt(bought.outAmount),
    });
    const [held] = record.holdings.holdingsOf(taker);
    expect(held).toMatchObject({ contracts: BigInt(bought.outAmount), totalCost: purchase?.totalCost });
    const sold = await swap.order({
      inputMint: mint,
      outputMint: WRAPPED_SOL_MINT,
      amount: bought.outAmount,
    });
    await swap.execute(sold);
    await record.catchUp();
    const [, sale] = await record.rows();
    expect(sale).toMatchObject({ owner: taker, isBuy: false, totalCost: purchase?.totalCost });
    expect(sale?.realizedPnl).toBe((sale?.grossProceeds ?? 0n) - (purchase?.totalCost ?? 0n));
    expect(record.holdings.holdingsOf(taker)).toEqual([]);
  });

  it('has both sides when tokens of one are changed into those of the other', async () => {
    const [taker, up, down] = [swap.wallet.address, round.mint('up'), round.mint('down')];
    await swap.execute(await swap.order({ inputMint: USDC, outputMint: up, amount: '20000000' }));
    const amount = String(swap.holding(taker, up));
    await swap.execute(await swap.order({ inputMint: up, outputMint: down, amount }));
    await record.catchUp();
    const rows = (await record.rows()).slice(-2);
    expect(rows.map(({ owner, isBuy }) => [owner, isBuy])).toEqual([
      [taker, false],
      [taker, true],
    ]);
    expect(rows[1]?.totalCost).toBe(rows[0]?.grossProceeds);
    expect(record.holdings.holdingsOf(taker)).toMatchObject([{ mint: down, totalCost: rows[1]?.totalCost }]);
  });
});

const USDC = getGenesisToken('USDC').mint;
const swap = await openTestSwap();
let round: TestRound;
let tested: TestStore;
let rounds: ForecastRoundFollower;
let record: TestForecastRecord;

beforeAll(async () => {
  const { chain, pools } = swap.market;
  round = TestRound.open(swap.market, 1_800_000_000n);
  await vi.waitUntil(() => pools.find(round.pool('up')) !== null && pools.find(round.pool('down')) !== null);
  tested = await openTestStore('sqlite');
  rounds = await ForecastRoundFollower.open({
    chain,
    feed: null,
    timers: new ManualTimers(),
    outage: { onFailure: () => undefined, onAnswer: () => undefined },
    onDefect: (_, error) => {
      throw error;
    },
  });
  record = await openTestForecastRecord(chain, tested.store, rounds);
});

afterAll(async () => {
  await record?.close();
  await rounds?.close();
  await tested?.cleanUp();
});
