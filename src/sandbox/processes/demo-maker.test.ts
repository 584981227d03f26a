import { expect, it } from 'vitest';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { PoolPrices } from '../../market/prices/pool-prices.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { findStartingPrice } from './demo-maker.ts';

it('lets the demo maker begin at the price of the pools', async () => {
  const { pools } = await openTestMarket('without programs');
  const ofPools = new PoolPrices(pools).dollarsPerAtom(WRAPPED_SOL_MINT) ?? 0;
  const { SLUICE_MAKER_PRICE } = findStartingPrice(pools);
  expect(Number(SLUICE_MAKER_PRICE) / (ofPools * 1e9)).toBeCloseTo(1, 6);
});
