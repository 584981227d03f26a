import { describe, expect, it } from 'vitest';
import { getMakerBalance, SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import {
  ASK,
  BID,
  HELD,
  listLabels,
  MAKER,
  MAKER_ID,
  openOneMakerSwap,
} from '../../../testing/genesis-market/one-maker.ts';
import { silent } from '../../../testing/rfq/makers.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { openForEach } from '../../../testing/opened.ts';

const { swap, makers } = openForEach(openOneMakerSwap);

describe('a crossed order book', () => {
  it('pays the streamed price on both sides, so that a taker who buys and sells gains the difference', async () => {
    const bought = await swap.execute(await swap.order(PRICE_OF_ONE));
    expect(bought).toMatchObject({ status: 'Success', totalOutputAmount: `${ONE_SOL}` });
    const sold = await swap.execute(await swap.order(ONE));
    expect(sold).toMatchObject({ status: 'Success', totalOutputAmount: `${BID}` });
    expect(dollars()).toBe(HELD + ASK - BID);
    expect(getMakerBalance(swap.market, MAKER, SOL)).toBe(HELD);
  });

  it('costs its maker nothing that the maker has not signed, swap by swap', async () => {
    const orders = [await swap.order(PRICE_OF_ONE), await swap.order(ONE)];
    makers.connect(MAKER_ID, silent);
    for (const order of orders) expect(await swap.execute(order)).toMatchObject({ code: -2003 });
    expect([dollars(), getMakerBalance(swap.market, MAKER, SOL)]).toEqual([HELD, HELD]);
  });

  it('is never used in both directions in one transaction', async () => {
    for (const query of [
      { inputMint: USDC.mint, outputMint: JITOSOL, amount: '100000000' },
      { inputMint: JITOSOL, outputMint: USDC.mint, amount: '1000000000' },
    ]) {
      const order = await swap.order(query);
      expect(listLabels(order).filter((label) => label === 'JupiterRfqV2')).toHaveLength(1);
    }
    const inACircle = { inputMint: USDC.mint, outputMint: USDC.mint, amount: '100000000' };
    await expect(swap.order(inACircle)).rejects.toThrow('inputMint and outputMint must differ');
  });
});

const JITOSOL = getGenesisToken('JitoSOL').mint;
/** The maker of these tests buys a SOL for 400 USDC and sells it for 50: a book that is crossed far. */
const ONE_SOL = 1_000_000_000n;
const PRICE_OF_ONE = { inputMint: USDC.mint, outputMint: SOL.mint, amount: `${ASK}` };
const ONE = { inputMint: SOL.mint, outputMint: USDC.mint, amount: `${ONE_SOL}` };

const dollars = () => getMakerBalance(swap.market, MAKER, USDC);
