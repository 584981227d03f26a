import { deriveReferralTokenAccounts } from '../../../swaps/fees/referral-fee.ts';
import { describe, expect, it } from 'vitest';
import {
  fundMaker,
  getMakerBalance,
  createMaker,
  SOL,
  USDC,
} from '../../../testing/genesis-market/makers.ts';
import {
  BID,
  BUY,
  DEPTH,
  listLabels,
  MAKER,
  MAKER_ID,
  openOneMakerSwap,
  SELL,
  streamBook,
} from '../../../testing/genesis-market/one-maker.ts';
import { signing, silent } from '../../../testing/rfq/makers.ts';
import type { BookToken } from '../../../rfq/books/live-book.ts';
import { type Address, address } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeTokenAccount } from '../../../solana/programs/token/account.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import { buildSwap } from '../../../swaps/build/build.ts';
import { executeSwap } from '../execution/execute.ts';
import { parseBuildRequest } from '../endpoints/build.ts';
import { quoteV1 } from '../../../testing/genesis-market/swap-v1.ts';
import { openForEach } from '../../../testing/opened.ts';

const { swap, makers } = openForEach(openOneMakerSwap);

describe('an order with a maker', () => {
  it.each([
    ['sells', SELL, SOL, USDC],
    ['buys', BUY, USDC, SOL],
  ])('%s what it quotes, to the atom, and says so to both sides', async (_, query, paid, got) => {
    const order = await swap.order(query);
    expect(listLabels(order)).toEqual(['JupiterRfqV2']);
    expect(order).toMatchObject({ router: 'metis', signatureFeeLamports: 10_000, maker: MAKER.address });
    expect(order.quoteId).toBe(order.requestId);
    expect(order.expireAt).toBe((swap.composed.chain.clock().unixTimestamp + 55n).toString());
    expect(order.routePlan[0]?.swapInfo.ammKey).toBe(MAKER.address);
    const before = [getMakerBalance(swap.market, MAKER, paid), getMakerBalance(swap.market, MAKER, got)];
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ status: 'Success', code: 0, totalInputAmount: query.amount });
    expect(answer.totalOutputAmount).toBe(order.outAmount);
    expect(getMakerBalance(swap.market, MAKER, paid) - (before[0] ?? 0n)).toBe(BigInt(query.amount));
    expect((before[1] ?? 0n) - getMakerBalance(swap.market, MAKER, got)).toBe(BigInt(order.outAmount));
    expect(makers.events).toEqual(['offered', 'taken', 'filled', `confirmed ${answer.signature}`]);
    expect(await swap.execute(order)).toEqual(answer);
    const again = { signedTransaction: swap.sign(order), requestId: order.requestId };
    expect(await executeSwap(swap.composed, again)).toBe(await executeSwap(swap.composed, again));
  });

  it.each([
    ['SOL is the quote', USDC, SOL, 5_000_000n],
    ['the base is a Token-2022 token', PYUSD, USDC, 1_000_000n],
    ['the quote is a Token-2022 token', USDC, PYUSD, 1_000_000n],
  ])('is filled to the atom in both directions where %s', async (_, base, quote, price) => {
    for (const token of [base, quote]) fundMaker(swap.market, MAKER, token, 1_000_000_000_000n);
    const [bids, asks] = [price * 2n, price / 2n].map((each) => [{ price: each, volume: DEPTH }]);
    makers.stream(MAKER, { base, quote }, bids ?? [], asks ?? []);
    for (const [from, to] of [
      [base, quote],
      [quote, base],
    ] as const) {
      const query = { inputMint: from.mint, outputMint: to.mint, amount: '12345678' };
      const order = await swap.order({ ...query, dexes: 'JupiterRfqV2' });
      expect(listLabels(order)).toEqual(['JupiterRfqV2']);
      const before = getMakerBalance(swap.market, MAKER, from);
      const answer = await swap.execute(order);
      expect(answer).toMatchObject({ status: 'Success', totalOutputAmount: order.outAmount });
      expect(getMakerBalance(swap.market, MAKER, from) - before).toBe(BigInt(answer.totalInputAmount ?? 0));
    }
  });

  it.each([
    ['sells', SELL],
    ['buys', BUY],
  ])('has a referral paid beside the fill where the taker %s, to the atom', async (_, query) => {
    const referral = swap.market.network.newAddress();
    const accountOf = (mint: Address) =>
      deriveReferralTokenAccounts(referral, mint, TOKEN_PROGRAM)[0] as Address;
    for (const { mint } of [SOL, USDC]) {
      const data = encodeTokenAccount({
        mint,
        owner: referral,
        amount: 0n,
        delegate: null,
        state: 'initialized',
        delegatedAmount: 0n,
        nativeReserve: mint === SOL.mint ? 2_039_280n : null,
        closeAuthority: null,
        extensions: [],
      });
      swap.market.network.setData(accountOf(mint), TOKEN_PROGRAM, data);
    }
    const order = await swap.order({ ...query, referralAccount: referral, referralFee: '85' });
    expect(listLabels(order)).toEqual(['JupiterRfqV2']);
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalInputAmount: query.amount,
      totalOutputAmount: order.outAmount,
    });
    const fee = swap.market.network.tokenBalance(accountOf(order.feeMint as Address));
    expect([order.feeBps, order.platformFee.amount]).toEqual([85, fee.toString()]);
    expect(fee).toBeGreaterThan(0n);
  });

  it('takes no part in an order whose referral account is its own wallet', async () => {
    const order = await swap.order({ ...SELL, referralAccount: MAKER.address, referralFee: '85' });
    expect(listLabels(order)).not.toContain('JupiterRfqV2');
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
  });

  it('has the taker at index 0, the maker as a read-only signer at index 1, and fits a packet', async () => {
    const { transaction, taker } = await swap.order({ ...SELL, amount: '100000000000' });
    const { message } = parseTransaction(Buffer.from(transaction ?? '', 'base64'));
    expect(message.staticAccounts.slice(0, message.signers)).toEqual([taker, MAKER.address]);
    expect(Buffer.from(transaction ?? '', 'base64').length).toBeLessThanOrEqual(1_232);
    expect(message.readonlySigners).toBe(1);
  });

  it('splits what the maker does not take over the pools, and lands it', async () => {
    streamBook(makers, { depth: 3_000_000_000n });
    const order = await swap.order({ ...SELL, amount: '20000000000' });
    expect(listLabels(order)).toContain('JupiterRfqV2');
    expect(listLabels(order).length).toBeGreaterThan(1);
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
  });

  it('continues from a pool to the maker and back, and pays what it quotes', async () => {
    const bonk = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
    for (const query of [
      { inputMint: bonk, outputMint: USDC.mint, amount: '1000000000' },
      { inputMint: USDC.mint, outputMint: bonk, amount: '50000000' },
    ]) {
      const order = await swap.order(query);
      expect(listLabels(order)).toContain('JupiterRfqV2');
      const answer = await swap.execute(order);
      expect(answer).toMatchObject({ status: 'Success', outputAmountResult: order.outAmount });
    }
  });

  it('has one maker, the one that pays most, however many quote', async () => {
    const other = createMaker('better');
    fundMaker(swap.market, other, USDC, 1_000_000_000_000n);
    fundMaker(swap.market, other, SOL, 0n);
    makers.connect(`of ${other.address}`, signing(other));
    makers.stream(other, { base: SOL, quote: USDC }, [{ price: BID + 1_000_000n, volume: DEPTH }], []);
    const order = await swap.order(SELL);
    expect(order.routePlan.map(({ swapInfo }) => swapInfo.ammKey)).toEqual([other.address]);
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
    const large = await swap.order({ ...SELL, amount: '35000000000' });
    expect(listLabels(large).filter((label) => label === 'JupiterRfqV2')).toHaveLength(1);
    expect(await swap.execute(large)).toMatchObject({
      status: 'Success',
      totalOutputAmount: large.outAmount,
    });
  });

  it('counts for each maker what it could have won, what it won, and what its fills moved', async () => {
    const other = createMaker('dear');
    fundMaker(swap.market, other, USDC, 1_000_000_000_000n);
    fundMaker(swap.market, other, SOL, 0n);
    makers.connect(`of ${other.address}`, signing(other));
    makers.stream(other, { base: SOL, quote: USDC }, [{ price: 1_000_000n, volume: DEPTH }], []);
    const countsOf = (id: string) => {
      const { considered = 0, won = 0, volume } = makers.statistics.get(id) ?? {};
      return { considered, won, moved: [...(volume?.mints ?? [])], microDollars: volume?.microDollars };
    };
    const order = await swap.order(SELL);
    for (const nobodys of [
      { ...SELL, excludeDexes: 'JupiterRfqV2' },
      { ...SELL, taker: undefined },
      { ...SELL, payer: swap.newWallet(1_000_000_000n).address },
    ])
      await swap.order(nobodys);
    expect(countsOf(`of ${other.address}`)).toMatchObject({ considered: 1, won: 0, moved: [] });
    expect(countsOf(MAKER_ID)).toMatchObject({ considered: 1, won: 1, moved: [] });
    await swap.execute(order);
    await swap.execute(order);
    expect(countsOf(MAKER_ID)).toEqual({
      considered: 1,
      won: 1,
      microDollars: BigInt(order.outAmount),
      moved: [
        [USDC.mint, { paid: BigInt(order.outAmount), received: 0n }],
        [SOL.mint, { paid: 0n, received: BigInt(SELL.amount) }],
      ],
    });
    makers.connect(MAKER_ID, silent);
    expect(await swap.execute(await swap.order(SELL))).toMatchObject({ code: -2003 });
    expect(countsOf(MAKER_ID)).toMatchObject({
      considered: 2,
      won: 2,
      microDollars: BigInt(order.outAmount),
    });
  });

  it('has the best of many makers when only makers are selected, however little they pay compared with the pools', async () => {
    for (let number = 0; number < 4; number++) {
      const dear = createMaker(`dear ${number}`);
      makers.stream(
        dear,
        { base: SOL, quote: USDC },
        [{ price: 1_000n + BigInt(number), volume: DEPTH }],
        [],
      );
    }
    streamBook(makers, { bid: 2_000_000n });
    expect(listLabels(await swap.order(SELL))).not.toContain('JupiterRfqV2');
    const only = await swap.order({ ...SELL, dexes: 'JupiterRfqV2' });
    expect(only.routePlan.map(({ swapInfo }) => swapInfo.ammKey)).toEqual([MAKER.address]);
  });

  it('never fills against the taker’s own order book', async () => {
    swap.market.network.setAccount(MAKER.address, {
      lamports: 10n ** 10n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
    const own = { ...BUY, taker: MAKER.address };
    expect(listLabels(await swap.order(own))).not.toContain('JupiterRfqV2');
    await expect(swap.order({ ...own, dexes: 'JupiterRfqV2' })).rejects.toThrow(/^no route/);
    expect(makers.statistics.get(MAKER_ID)).toBeUndefined();
  });

  it('is the only request that makers take part in', async () => {
    const asked = ['Whirlpool', 'JupiterRfqV2'];
    const build = parseBuildRequest({ ...SELL, taker: swap.wallet.address }, asked);
    const { legs } = (await buildSwap(swap.composed, build)).route;
    expect(legs.map(({ handle }) => handle.venue.label)).not.toContain('JupiterRfqV2');
    expect(listLabels(quoteV1(swap.composed, SELL, asked))).not.toContain('JupiterRfqV2');
    const only = { ...SELL, dexes: 'JupiterRfqV2' };
    expect(() => quoteV1(swap.composed, only, asked)).toThrow(/no route/i);
  });

  it('has no maker while the chain’s time differs from the makers’, who would not sign', async () => {
    for (const [ahead, takesPart] of [
      [29n, true],
      [32n, false],
      [-29n, true],
      [-32n, false],
    ] as const) {
      makers.chainAhead = ahead;
      expect(listLabels(await swap.order(SELL)).includes('JupiterRfqV2')).toBe(takesPart);
    }
  });

  it('has no maker for another payer, or if its label is excluded', async () => {
    const other = swap.newWallet(1_000_000_000n).address;
    for (const query of [
      { ...SELL, payer: other },
      { ...SELL, excludeDexes: 'JupiterRfqV2' },
      { ...SELL, dexes: 'Whirlpool' },
    ]) {
      expect(listLabels(await swap.order(query))).not.toContain('JupiterRfqV2');
    }
    expect(listLabels(await swap.order({ ...SELL, dexes: 'JupiterRfqV2' }))).toEqual(['JupiterRfqV2']);
    expect(listLabels(await swap.order({ ...SELL, excludeRouters: 'jupiterz' }))).toEqual(['JupiterRfqV2']);
  });
});

const PYUSD: BookToken = {
  mint: address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'),
  decimals: 6,
  tokenProgram: TOKEN_2022_PROGRAM,
};
