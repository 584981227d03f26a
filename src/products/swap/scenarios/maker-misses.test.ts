import { describe, expect, it } from 'vitest';
import { fundMaker, SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import { BUY, HELD, MAKER, MAKER_ID, streamBook } from '../../../testing/genesis-market/one-maker.ts';
import { AMOUNT, openTakerFunds, deriveUsdcAccount } from '../../../testing/genesis-market/taker-funds.ts';
import { signing, silent } from '../../../testing/rfq/makers.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeTokenAccount } from '../../../solana/programs/token/account.ts';
import { openForEach } from '../../../testing/opened.ts';

const test = openForEach(openTakerFunds);

describe('a maker that makes its own swap fail', () => {
  it('has missed it if its inventory is gone at the end', async () => {
    test.makers.connect(MAKER_ID, () => {
      fundMaker(test.swap.market, MAKER, SOL, 0n);
      return null;
    });
    expect(await test.execute(await test.order(BUY))).toMatchObject({ code: -2003 });
    expect(test.makers.events).toContain('missed');
  });

  it('has missed it if the maker touches the taker’s account in the meantime', async () => {
    test.makers.connect(
      MAKER_ID,
      test.during(() => {
        fundMaker(test.swap.market, MAKER, SOL, 0n);
        test.holds(test.taker, AMOUNT + 1n);
      }),
    );
    expect(await test.execute(await test.order(BUY))).toMatchObject({ code: -2003 });
    expect(test.makers.events).toContain('missed');
  });

  it('has missed it if the maker signs and moves its inventory before the swap lands', async () => {
    test.makers.connect(MAKER_ID, (offered) => {
      fundMaker(test.swap.market, MAKER, SOL, 0n);
      return signing(MAKER)(offered);
    });
    expect(await test.execute(await test.order(BUY))).toMatchObject({ status: 'Failed' });
    expect(test.makers.events).toContain('missed');
  });

  const givesAway = (token: typeof SOL): void => {
    const data = encodeTokenAccount({
      mint: token.mint,
      owner: test.taker.address,
      amount: HELD,
      delegate: null,
      state: 'initialized',
      nativeReserve: token === SOL ? 2_039_280n : null,
      delegatedAmount: 0n,
      closeAuthority: null,
      extensions: [],
    });
    const account = deriveAssociatedTokenAddress(MAKER.address, token.mint, TOKEN_PROGRAM);
    test.swap.market.network.setData(account, TOKEN_PROGRAM, data);
  };

  it.each<[string, () => void]>([
    [
      'closes its receiving account',
      () => test.keepsLamports({ address: deriveUsdcAccount(MAKER.address) }, 0n),
    ],
    ['gives its receiving account away', () => givesAway(USDC)],
    ['gives its paying account away', () => givesAway(SOL)],
  ])('has missed it if it %s, whether it signs or not', async (_, act) => {
    for (const behaviour of [silent, signing(MAKER)]) {
      test.makers.events.length = 0;
      for (const token of [SOL, USDC]) fundMaker(test.swap.market, MAKER, token, HELD);
      test.makers.connect(MAKER_ID, (offered) => {
        act();
        return behaviour(offered);
      });
      expect(await test.execute(await test.order(BUY))).toMatchObject({ status: 'Failed' });
      expect(test.makers.events).toContain('missed');
    }
  });

  it('has not missed it if the taker moved the tokens before the swap landed', async () => {
    test.makers.connect(MAKER_ID, (offered) => {
      test.holds(test.taker, 0n);
      return signing(MAKER)(offered);
    });
    expect(await test.execute(await test.order(BUY))).toMatchObject({ status: 'Failed' });
    expect(test.makers.events).not.toContain('missed');
    expect(test.reserved()).toEqual([0n, 0n]);
  });
});

describe('a maker that does not answer a swap that would have succeeded', () => {
  it('has missed it, also if the taker received more afterwards', async () => {
    test.makers.connect(
      MAKER_ID,
      test.during(() => test.holds(test.taker, 2n * AMOUNT)),
    );
    streamBook(test.makers);
    expect(await test.execute(await test.order(BUY))).toMatchObject({ code: -2003 });
    expect(test.makers.events).toContain('missed');
  });
});
