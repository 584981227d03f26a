import { describe, expect, it } from 'vitest';
import {
  fundMaker,
  createMakerAccount,
  getMakerBalance,
  SOL,
  USDC,
} from '../../../testing/genesis-market/makers.ts';
import { HELD, openWebhookSwap } from '../../../testing/genesis-market/webhooks.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../solana/programs/token/account.ts';
import { decodeFill, ORDER_ENGINE_PROGRAM } from '../../../protocols/order-engine/fill-instruction.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import { openForEach } from '../../../testing/opened.ts';

const open = openForEach(openWebhookSwap, 'close');

describe('an order that a webhook maker wins', () => {
  it('is settled to the atom, with the maker paying for the transaction', async () => {
    const { swap, market } = open;
    const maker = onlyMaker();
    const order = await swap.order(SELL);
    expect(order).toMatchObject({
      router: 'jupiterz',
      swapType: 'rfq',
      swapMode: 'ExactIn',
      inAmount: SELL.amount,
      outAmount: '400000000',
      otherAmountThreshold: '400000000',
      gasless: true,
      signatureFeeLamports: 0,
      signatureFeePayer: maker.keypair.address,
      maker: maker.keypair.address,
    });
    expect(order.expireAt).toBe((market.chain.clock().unixTimestamp + 55n).toString());
    const before = [SOL, USDC].map(({ mint }) => swap.holding(swap.wallet.address, mint));
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({
      status: 'Success',
      code: 0,
      totalInputAmount: SELL.amount,
      totalOutputAmount: order.outAmount,
    });
    expect(swap.holding(swap.wallet.address, SOL.mint)).toBe((before[0] ?? 0n) - 1_000_000_000n);
    expect(swap.holding(swap.wallet.address, USDC.mint)).toBe((before[1] ?? 0n) + 400_000_000n);
    expect(getMakerBalance(market, maker.keypair, SOL) - HELD).toBe(1_000_000_000n);
    expect(HELD - getMakerBalance(market, maker.keypair, USDC)).toBe(400_000_000n);
    // The same request gets the same answer, and the maker is sent the swap once.
    expect(await swap.execute(order)).toEqual(answer);
    expect(maker.of('/swap')).toHaveLength(1);
  });

  it('has a transaction that makers accept: they pay, the taker signs second, nothing is looked up', async () => {
    const order = await open.swap.order(SELL);
    const { message } = parseTransaction(Buffer.from(order.transaction ?? '', 'base64'));
    expect(message.signers).toBe(2);
    expect(message.staticAccounts.slice(0, 2)).toEqual([
      onlyMaker().keypair.address,
      open.swap.wallet.address,
    ]);
    expect(message.lookups).toEqual([]);
    const programs = message.instructions.map(({ programIndex }) => message.staticAccounts[programIndex]);
    expect(programs).toEqual([
      'ComputeBudget111111111111111111111111111111',
      'ComputeBudget111111111111111111111111111111',
      'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
      ORDER_ENGINE_PROGRAM,
    ]);
    const [, , create, fill] = message.instructions;
    expect([...(create?.data ?? [])]).toEqual([1]);
    expect(create?.accounts[0]).toBe(1);
    expect(decodeFill(fill?.data ?? new Uint8Array())).toEqual({
      trade: {
        inputAmount: 1_000_000_000n,
        outputAmount: 400_000_000n,
        expireAt: BigInt(order.expireAt ?? 0),
      },
      fee: { bps: 0, quoteType: 'exactIn' },
    });
  });

  it('is that of a maker which pays a little less than the pools, and the network’s fees', async () => {
    const maker = onlyMaker();
    const small = { ...SELL, amount: '1000000' };
    const routed = await open.swap.order({ ...small, excludeRouters: 'jupiterz' });
    expect(routed).toMatchObject({ router: 'metis', signatureFeeLamports: 5_000 });
    maker.rate = BigInt(routed.outAmount) - 100n;
    expect((await open.swap.order(small)).router).toBe('jupiterz');
    // A thousandth of a dollar is what a signature costs.
    maker.rate = BigInt(routed.outAmount) - 10_000n;
    expect((await open.swap.order(small)).router).toBe('metis');
  });

  it('is refused with a tip, which no maker pays, in the words of the request', async () => {
    const query = { ...BUY, swapMode: 'ExactOut', jitoTipLamports: '1000' };
    await expect(open.swap.order(query)).rejects.toThrow(
      /^no router quotes this swap; metis: metis quotes exact inputs only; jupiterz: the transaction of a maker has no tip, and jitoTipLamports is given$/,
    );
  });

  it('pays SOL out of what the maker has wrapped', async () => {
    onlyMaker().rate = 20_000_000n;
    const order = await open.swap.order(BUY);
    expect(order).toMatchObject({ router: 'jupiterz', outAmount: '2000000000' });
    const before = open.swap.holding(open.swap.wallet.address, SOL.mint);
    expect(await open.swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: '2000000000',
    });
    expect(open.swap.holding(open.swap.wallet.address, SOL.mint) - before).toBe(2_000_000_000n);
  });

  it('can be for an exact output', async () => {
    const order = await open.swap.order({ ...SELL, amount: '400000001', swapMode: 'ExactOut' });
    expect(order).toMatchObject({
      router: 'jupiterz',
      swapMode: 'ExactOut',
      inAmount: '1000000003',
      outAmount: '400000001',
      otherAmountThreshold: '1000000003',
    });
    expect(await open.swap.execute(order)).toMatchObject({
      status: 'Success',
      totalInputAmount: '1000000003',
      totalOutputAmount: '400000001',
    });
  });

  it('asks the maker as the public interface describes it', async () => {
    const order = await open.swap.order(SELL);
    const [asked] = onlyMaker().of('/quote');
    expect(asked?.body).toMatchObject({
      tokenIn: SOL.mint,
      tokenOut: USDC.mint,
      amount: SELL.amount,
      quoteType: 'exactIn',
      protocol: 'v1',
      feeBps: 0,
      taker: open.swap.wallet.address,
    });
    expect(asked?.headers['x-request-timeout']).toBe('30000');
    expect(Number(asked?.headers['x-request-start'])).toBe(open.clock.now());
    expect(asked?.headers['x-api-key']).toBeUndefined();
    await open.swap.execute(order);
    const [swapped] = onlyMaker().of('/swap');
    expect(swapped?.body.quoteId).toBe(order.quoteId);
    const sent = parseTransaction(Buffer.from(String(swapped?.body.transaction), 'base64'));
    expect(sent.signatures[0]?.every((byte) => byte === 0)).toBe(true);
  });
});

describe('an order that only makers may fill', () => {
  const ONLY_MAKERS = { excludeRouters: 'metis' };

  it.each([
    [
      'no account of the input token',
      (taker: string) => ({ ...BUY, ...ONLY_MAKERS, taker }),
      0n,
      {
        errorCode: 2,
        details: /^the swap takes 100000000 atoms of EPj\S+, and \S+ has no token account \S+$/,
      },
    ],
    [
      'less SOL than it sells',
      (taker: string) => ({ ...SELL, ...ONLY_MAKERS, taker }),
      999_999_999n,
      {
        errorCode: 1,
        details: /^the swap takes \d+ lamports, \d+ of them as rent, \S+ has 999999999$/,
      },
    ],
    [
      'less SOL left than a wallet must hold',
      (taker: string) => ({ ...SELL, ...ONLY_MAKERS, taker }),
      1_002_039_281n,
      { errorCode: 1, details: /^\S+ would be left with 1 lamports, but must have none or 890880$/ },
    ],
  ])(
    'has a price and says what the taker lacks, who has %s',
    async (_, query, lamports, { errorCode, details }) => {
      const wallet = open.swap.newWallet(lamports);
      const order = await open.swap.order(query(wallet.address));
      expect(order).toMatchObject({
        router: 'jupiterz',
        transaction: '',
        maker: onlyMaker().keypair.address,
        errorCode,
        errorMessage: 'Insufficient funds',
        error: 'Insufficient funds',
        details: expect.stringMatching(details),
      });
    },
  );

  it('says how much of the input token the taker has', async () => {
    const { market, swap } = open;
    const wallet = swap.newWallet(10_000_000n);
    fundMaker(market, wallet, USDC, 99_999_999n);
    const order = await swap.order({ ...BUY, ...ONLY_MAKERS, taker: wallet.address });
    expect(order).toMatchObject({
      transaction: '',
      errorCode: 1,
      details: `the swap takes 100000000 atoms of ${USDC.mint}, ${wallet.address} has 99999999`,
    });
  });

  it('says why its transaction would fail otherwise, in words', async () => {
    const { market, swap } = open;
    const wallet = swap.newWallet(1_000_000_000n);
    const { address, account } = createMakerAccount(wallet, USDC, 100_000_000n);
    const data = encodeTokenAccount({ ...decodeTokenAccount(account.data), state: 'frozen' });
    market.network.setAccount(address, { ...account, data });
    for (const query of [
      { ...BUY, ...ONLY_MAKERS },
      { ...BUY, amount: '1000000', swapMode: 'ExactOut' },
    ]) {
      const order = await swap.order({ ...query, taker: wallet.address });
      expect(order).toMatchObject({
        router: 'jupiterz',
        transaction: '',
        errorCode: 3,
        errorMessage: 'The quote cannot become a transaction',
      });
      expect(order.details).toMatch(/^its transaction would fail: (?!\{).*frozen/i);
    }
    // Where pools may fill the order too, a price without a transaction does not beat them, and their reason counts.
    await expect(swap.order({ ...BUY, taker: wallet.address })).rejects.toThrow(/frozen/i);
  });
});

const SELL = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000000' };
const BUY = { inputMint: USDC.mint, outputMint: SOL.mint, amount: '100000000' };

function onlyMaker() {
  const [maker] = open.makers;
  if (maker === undefined) throw new Error('there is no maker');
  return maker;
}
