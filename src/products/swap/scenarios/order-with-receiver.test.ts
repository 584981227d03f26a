import { beforeEach, describe, expect, it } from 'vitest';
import {
  fundMaker,
  createMakerAccount,
  getMakerBalance,
  SOL,
  USDC,
} from '../../../testing/genesis-market/makers.ts';
import {
  BUY,
  listLabels,
  MAKER,
  openOneMakerSwap,
  SELL,
  streamBook,
} from '../../../testing/genesis-market/one-maker.ts';
import { signing } from '../../../testing/rfq/makers.ts';
import type { Account } from '../../../chain/accounts.ts';
import type { BookToken } from '../../../rfq/books/live-book.ts';
import { type Address, address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { TOKEN_ACCOUNT_RENT } from '../../../transactions/build/closings.ts';
import { deriveReferralTokenAccounts } from '../../../swaps/fees/referral-fee.ts';
import { openForEach } from '../../../testing/opened.ts';

let receiver: Keypair;
const { swap, makers } = openForEach(openOneMakerSwap);
beforeEach(setUp);

describe('an order whose output goes to another wallet', () => {
  it('has a maker, who pays the tokens to the atom; the taker pays the amount, the fees and the rent', async () => {
    const taker = swap.newWallet(5_000_000_000n);
    const order = await swap.order({ ...toReceiver(SELL), taker: taker.address });
    expect(listLabels(order)).toEqual(['JupiterRfqV2']);
    expect(order).toMatchObject({
      maker: MAKER.address,
      rentFeeLamports: Number(TOKEN_ACCOUNT_RENT),
      rentFeePayer: taker.address,
    });
    const before = getMakerBalance(swap.market, MAKER, SOL);
    const answer = await swap.execute(order, [taker]);
    expect(answer).toMatchObject({
      status: 'Success',
      totalInputAmount: SELL.amount,
      totalOutputAmount: order.outAmount,
    });
    expect(swap.holding(receiver.address, USDC.mint)).toBe(BigInt(order.outAmount));
    expect(getMakerBalance(swap.market, MAKER, SOL) - before).toBe(BigInt(SELL.amount));
    // The account that the tokens passed through is gone, and its rent came back.
    expect(lamports(usdcOf(taker.address))).toBe(0n);
    expect(5_000_000_000n - lamports(taker.address)).toBe(BigInt(SELL.amount) + swap.costsOf(order));
    expect(makers.events).toEqual(['offered', 'taken', 'filled', `confirmed ${answer.signature}`]);
  });

  it('has the maker pay SOL, which the receiver gets as lamports', async () => {
    const order = await swap.order(toReceiver(BUY));
    expect(listLabels(order)).toEqual(['JupiterRfqV2']);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({
      status: 'Success',
      totalInputAmount: BUY.amount,
      totalOutputAmount: order.outAmount,
    });
    // With the rent of the account that the SOL passed through, which the order names as the taker's.
    expect(order.rentFeeLamports).toBe(Number(TOKEN_ACCOUNT_RENT));
    expect(lamports(receiver.address)).toBe(BigInt(order.outAmount) + TOKEN_ACCOUNT_RENT);
  });

  it('leaves what the taker has of the output where it is', async () => {
    fundMaker(swap.market, swap.wallet, USDC, 77_000_000n);
    fundMaker(swap.market, receiver, USDC, 5n);
    const order = await swap.order(toReceiver(SELL));
    expect(order.rentFeeLamports).toBe(0);
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
    expect(swap.holding(swap.wallet.address, USDC.mint)).toBe(77_000_000n);
    expect(swap.holding(receiver.address, USDC.mint)).toBe(BigInt(order.outAmount) + 5n);
  });

  it.each([
    ['split over pools and a maker', { ...SELL, amount: '20000000000' }, 3_000_000_000n],
    ['from a pool to a maker', { ...SELL, inputMint: BONK, amount: '1000000000' }, undefined],
    ['from a maker to a pool', { ...BUY, outputMint: BONK, amount: '50000000' }, undefined],
  ])('pays what it quotes where the route leads %s', async (_, query, depth) => {
    if (depth !== undefined) streamBook(makers, { depth });
    const order = await swap.order(toReceiver(query));
    expect(listLabels(order)).toContain('JupiterRfqV2');
    expect(listLabels(order).length).toBeGreaterThan(1);
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
    expect(swap.holding(receiver.address, query.outputMint as Address)).toBe(BigInt(order.outAmount));
  });

  it.each([
    ['what it pays', SELL],
    ['what it gets', BUY],
  ])('has a referrer paid from %s beside the maker and the receiver', async (_, query) => {
    const referrer = swap.newWallet(0n);
    const [account] = deriveReferralTokenAccounts(referrer.address, SOL.mint, TOKEN_PROGRAM);
    swap.market.network.setAccount(account as Address, createMakerAccount(referrer, SOL, 0n).account);
    const order = await swap.order({
      ...toReceiver(query),
      referralAccount: referrer.address,
      referralFee: '85',
    });
    expect(listLabels(order)).toEqual(['JupiterRfqV2']);
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
    const rent = query === BUY ? TOKEN_ACCOUNT_RENT : 0n;
    expect(swap.holding(receiver.address, query.outputMint as Address)).toBe(BigInt(order.outAmount) + rent);
    const fee = swap.market.network.tokenBalance(account as Address);
    expect([order.feeBps, order.platformFee.amount]).toEqual([85, fee.toString()]);
  });

  it('has no maker for an output of Token-2022, which could not be handed on', async () => {
    for (const token of [PYUSD, USDC]) fundMaker(swap.market, MAKER, token, 1_000_000_000_000n);
    const level = { price: 2_000_000n, volume: 1_000_000_000n };
    makers.stream(MAKER, { base: USDC, quote: PYUSD }, [level], []);
    const query = { inputMint: USDC.mint, outputMint: PYUSD.mint, amount: '12345678' };
    expect(listLabels(await swap.order(query))).toContain('JupiterRfqV2');
    expect(listLabels(await swap.order(toReceiver(query)))).not.toContain('JupiterRfqV2');
  });
});

describe('a hostile receiver', () => {
  it('is never the maker itself, whose accounts the transaction would name outside the fill', async () => {
    for (const query of [SELL, BUY]) {
      const order = await swap.order({ ...query, receiver: MAKER.address });
      expect(listLabels(order)).not.toContain('JupiterRfqV2');
      const only = { ...query, receiver: MAKER.address, dexes: 'JupiterRfqV2' };
      await expect(swap.order(only)).rejects.toThrow(/^no route/);
    }
  });

  it.each([
    ['of the taker', () => usdcOf(swap.wallet.address)],
    ['of the maker', () => usdcOf(MAKER.address)],
  ])('cannot be a token account %s', async (_, account) => {
    fundMaker(swap.market, swap.wallet, USDC, 77_000_000n);
    for (const query of [SELL, BUY]) {
      await expect(swap.order({ ...query, receiver: account() })).rejects.toThrow(
        'receiver must be a wallet',
      );
    }
  });

  it('that closes its account after the order gets another one, at the cost of the taker alone', async () => {
    fundMaker(swap.market, receiver, USDC, 0n);
    const order = await swap.order(toReceiver(SELL));
    expect([listLabels(order), order.rentFeeLamports]).toEqual([['JupiterRfqV2'], 0]);
    const { network } = swap.market;
    const account = usdcOf(receiver.address);
    network.setAccount(account, { ...(network.account(account) as Account), lamports: 0n });
    const before = [lamports(swap.wallet.address), lamports(MAKER.address)];
    expect(await swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
    expect(swap.holding(receiver.address, USDC.mint)).toBe(BigInt(order.outAmount));
    const rent = BigInt(SELL.amount) + swap.costsOf(order) + TOKEN_ACCOUNT_RENT;
    expect((before[0] ?? 0n) - lamports(swap.wallet.address)).toBe(rent);
    expect(lamports(MAKER.address)).toBe(before[1]);
  });

  it('that gives its account away after the order has the maker offered nothing', async () => {
    fundMaker(swap.market, receiver, USDC, 0n);
    const order = await swap.order(toReceiver(SELL));
    giveAway(receiver);
    expect(await swap.execute(order)).toMatchObject({ status: 'Failed', code: -2004 });
    expect(makers.events).toEqual([]);
  });

  it('that gives its account away while the maker signs costs the maker nothing, not even its standing', async () => {
    fundMaker(swap.market, receiver, USDC, 0n);
    const order = await swap.order(toReceiver(SELL));
    const sign = signing(MAKER);
    makers.connect(`of ${MAKER.address}`, (...offered) => {
      giveAway(receiver);
      return sign(...offered);
    });
    const before = [getMakerBalance(swap.market, MAKER, SOL), getMakerBalance(swap.market, MAKER, USDC)];
    const answer = await swap.execute(order);
    expect(answer.status).toBe('Failed');
    expect([getMakerBalance(swap.market, MAKER, SOL), getMakerBalance(swap.market, MAKER, USDC)]).toEqual(
      before,
    );
    expect(makers.events.filter((event) => /missed|broken|faulty/.test(event))).toEqual([]);
    // Its inventory is free again.
    expect(listLabels(await swap.order(SELL))).toEqual(['JupiterRfqV2']);
  });
});

const PYUSD: BookToken = {
  mint: address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'),
  decimals: 6,
  tokenProgram: TOKEN_2022_PROGRAM,
};
const BONK = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');

function setUp(): void {
  receiver = swap.newWallet(0n);
}

const lamports = (wallet: Address) => swap.market.network.account(wallet)?.lamports ?? 0n;
const usdcOf = (wallet: Address) => deriveAssociatedTokenAddress(wallet, USDC.mint, TOKEN_PROGRAM);
const toReceiver = (query: typeof SELL) => ({ ...query, receiver: receiver.address });

/** The wallet's account at its address belongs to somebody else from now on. */
function giveAway(wallet: Keypair): void {
  const { account } = createMakerAccount(swap.newWallet(0n), USDC, 0n);
  swap.market.network.setAccount(usdcOf(wallet.address), account);
}
