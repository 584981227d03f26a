import { getGenesisPools } from '../../../protocol/genesis/venue-genesis.ts';
import { raydiumCpmmGenesis } from '../../../protocols/raydium-cpmm/genesis/genesis.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestSwap, type TestSwap } from '../../../testing/genesis-market/swap.ts';
import { openWebhookSwap } from '../../../testing/genesis-market/webhooks.ts';
import { decodePool, encodePool, PoolStatus } from '../../../protocols/raydium-cpmm/program/layout.ts';
import { VENUES } from '../../../protocols/venues.ts';
import { raydiumCpmm } from '../../../protocols/raydium-cpmm/venue.ts';
import type { Address } from '../../../solana/address.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import type { OrderResponse } from '../endpoints/order.ts';

let swap: TestSwap;
beforeEach(setUp);

describe('an order whose best route would fail', () => {
  it('takes the best of the routes that would succeed', async () => {
    const best = await swap.order(onlyRaydium);
    for (const pool of poolsOf(best)) switchOff(pool);
    const order = await swap.order(onlyRaydium);
    expect(poolsOf(order).filter((pool) => poolsOf(best).includes(pool))).toEqual([]);
    expect(BigInt(order.outAmount)).toBeLessThanOrEqual(BigInt(best.outAmount));
    const result = await swap.execute(order);
    expect(result).toMatchObject({ status: 'Success', totalOutputAmount: order.outAmount });
  });

  it('is refused with the failure when no other route is left', async () => {
    for (const { address } of getGenesisPools(swap.market.genesis, raydiumCpmmGenesis)) switchOff(address);
    await expect(swap.order(onlyRaydium)).rejects.toThrow(SwapRefused);
    await expect(swap.order(onlyRaydium)).rejects.toThrow(/the swap would fail now: NotApproved/);
  });

  it('does not fall back for a price without a taker', async () => {
    const price = { ...onlyRaydium, taker: '' };
    const before = await swap.order(price);
    for (const pool of poolsOf(before)) switchOff(pool);
    expect((await swap.order(price)).outAmount).toBe(before.outAmount);
  });

  it('asks makers by webhook once, however many routes fail, and takes their quote in the end', async () => {
    const open = await openWebhookSwap();
    swap = open.swap;
    try {
      const [maker] = open.makers;
      if (maker === undefined) throw new Error('there is no maker');
      maker.onQuote = () => ({ status: 404, body: { message: 'not now' } });
      const others = VENUES.map(({ label }) => label).filter((label) => label !== raydiumCpmm.label);
      const raydiumAndMakers = { ...wanted, excludeDexes: others.join(',') };
      const best = await swap.order(raydiumAndMakers);
      // A little less than the best pool pays, so that the maker only wins once that has failed.
      maker.onQuote = ({ body }) => ({
        body: { ...maker.quote(body), amountOut: (BigInt(best.outAmount) - 1n).toString() },
      });
      for (const { address } of getGenesisPools(swap.market.genesis, raydiumCpmmGenesis)) switchOff(address);
      maker.asked.length = 0;
      const order = await swap.order(raydiumAndMakers);
      expect(maker.of('/quote')).toHaveLength(1);
      expect(order).toMatchObject({ router: 'jupiterz' });
      expect(await swap.execute(order)).toMatchObject({ status: 'Success' });
    } finally {
      await open.close();
    }
  });
});

const SOL = 'So11111111111111111111111111111111111111112' as Address;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

async function setUp(): Promise<void> {
  swap = await openTestSwap();
}

const wanted = { inputMint: SOL, outputMint: USDC, amount: '1000000000' };
const onlyRaydium = { ...wanted, dexes: raydiumCpmm.label };

/** Makes the pool refuse swaps from now on, without the market noticing. */
function switchOff(pool: Address): void {
  const { network } = swap.market;
  const account = network.account(pool);
  if (account === null) throw new Error(`no pool ${pool}`);
  const data = encodePool({ ...decodePool(account.data), status: PoolStatus.SWAP_OFF });
  network.setAccount(pool, { ...account, data });
}

function poolsOf({ routePlan }: OrderResponse): readonly Address[] {
  return routePlan.map(({ swapInfo }) => swapInfo.ammKey as Address);
}
