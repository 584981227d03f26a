import { expect, it } from 'vitest';
import { openTestMarket } from '../../test/genesis-market/open.ts';
import { dollarsPerAtom, usePrices } from '../market/prices/prices.ts';
import { WRAPPED_SOL_MINT } from '../solana/program-addresses.ts';
import { startingPrice } from './demo-maker.ts';

it('lets the demo maker begin at the price of the pools, not at that of the last trade', async () => {
  const { pools } = await openTestMarket('without programs');
  const ofPools = dollarsPerAtom(pools, WRAPPED_SOL_MINT) ?? 0;
  usePrices(pools, () => ofPools * 0.997);
  const { SLUICE_MAKER_PRICE } = startingPrice(pools);
  expect(Number(SLUICE_MAKER_PRICE) / (ofPools * 1e9)).toBeCloseTo(1, 6);
});
