import { beforeEach, describe, expect, it } from 'vitest';
import {
  fundMaker,
  createMakerAccount,
  getMakerBalance,
  SOL,
  USDC,
} from '../../../testing/genesis-market/makers.ts';
import { HELD, openWebhookSwap } from '../../../testing/genesis-market/webhooks.ts';
import type { Account } from '../../../chain/accounts.ts';
import { ORDER_ENGINE_PROGRAM } from '../../../protocols/order-engine/fill-instruction.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../solana/program-addresses.ts';
import { TOKEN_ACCOUNT_RENT } from '../../../transactions/build/closings.ts';
import { openForEach } from '../../../testing/opened.ts';

let receiver: Keypair;
const open = openForEach(openWebhookSwap, 'close');
beforeEach(setUp);

describe('an order with a receiver', () => {
  it('is filled by a maker that repeats it, to the atom; the taker pays the amount and the rent of both accounts', async () => {
    const taker = open.swap.newWallet(5_000_000_000n);
    const made = await order({ ...SELL, taker: taker.address });
    expect(made).toMatchObject({
      router: 'jupiterz',
      outAmount: '400000000',
      gasless: true,
      rentFeeLamports: Number(TOKEN_ACCOUNT_RENT * 2n),
      rentFeePayer: taker.address,
    });
    expect(maker().of('/quote')[0]?.body).toMatchObject({ receiver: receiver.address, taker: taker.address });
    expect(await open.swap.execute(made, [taker])).toMatchObject({
      status: 'Success',
      totalInputAmount: SELL.amount,
      totalOutputAmount: made.outAmount,
    });
    expect(open.swap.holding(receiver.address, USDC.mint)).toBe(400_000_000n);
    expect(open.swap.holding(taker.address, USDC.mint)).toBe(0n);
    const paid = 1_000_000_000n + TOKEN_ACCOUNT_RENT * 2n;
    expect(5_000_000_000n - lamports(taker.address)).toBe(paid);
    expect(getMakerBalance(open.market, maker().keypair, SOL) - HELD).toBe(1_000_000_000n);
    expect(HELD - getMakerBalance(open.market, maker().keypair, USDC)).toBe(400_000_000n);
  });

  it.each([
    [
      'tokens',
      SELL,
      [ASSOCIATED_TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, ORDER_ENGINE_PROGRAM, TOKEN_PROGRAM],
    ],
    ['SOL', BUY, [ORDER_ENGINE_PROGRAM, SYSTEM_PROGRAM]],
  ])(
    'has the form of the public toolkit for %s: the fill, then the transfer of all of it',
    async (_, query, expected) => {
      const made = await order(query);
      const { message } = parseTransaction(Buffer.from(made.transaction ?? '', 'base64'));
      expect(message.staticAccounts.slice(0, message.signers)).toEqual([maker().keypair.address, made.taker]);
      const programs = message.instructions.map(({ programIndex }) => message.staticAccounts[programIndex]);
      expect(programs).toEqual([COMPUTE_BUDGET_PROGRAM, COMPUTE_BUDGET_PROGRAM, ...expected]);
      const before = lamports(receiver.address);
      expect(await open.swap.execute(made)).toMatchObject({
        status: 'Success',
        totalOutputAmount: made.outAmount,
      });
      const got =
        query === BUY ? lamports(receiver.address) - before : open.swap.holding(receiver.address, USDC.mint);
      expect(got).toBe(BigInt(made.outAmount));
    },
  );

  it('delivers an exact output', async () => {
    const made = await order({ ...SELL, amount: '12345678', swapMode: 'ExactOut' });
    expect(await open.swap.execute(made)).toMatchObject({
      status: 'Success',
      totalInputAmount: made.inAmount,
    });
    expect(open.swap.holding(receiver.address, USDC.mint)).toBe(12_345_678n);
  });

  it('is not filled by a maker that does not repeat it, which is asked again and has not failed', async () => {
    maker().onQuote = ({ body }) => ({ body: { ...maker().quote(body), receiver: undefined } });
    for (let asked = 1; asked < 5; asked++) {
      await expect(order()).rejects.toThrow('no maker quotes the swap');
      expect(maker().of('/quote')).toHaveLength(asked);
    }
    expect(await open.swap.order(SELL)).toMatchObject({ router: 'jupiterz' });
  });

  it('is not filled by a maker that repeats another one', async () => {
    maker().onQuote = ({ body }) => ({ body: { ...maker().quote(body), receiver: SOL.mint } });
    await expect(order()).rejects.toThrow('no maker quotes the swap');
  });
});

describe('a hostile receiver', () => {
  it('is neither the maker nor a token account', async () => {
    const account = usdcOf(maker().keypair.address);
    for (const query of [SELL, BUY]) {
      await expect(order({ ...query, receiver: maker().keypair.address })).rejects.toThrow(
        'the maker is the receiver',
      );
      await expect(order({ ...query, receiver: account })).rejects.toThrow('receiver must be a wallet');
    }
  });

  it('that closes its account after the order has the maker sent nothing, and a new order opens another one', async () => {
    const { network } = open.market;
    fundMaker(open.market, receiver, USDC, 0n);
    const made = await order();
    expect(made.rentFeeLamports).toBe(0);
    const account = usdcOf(receiver.address);
    network.setAccount(account, { ...(network.account(account) as Account), lamports: 0n });
    // The compute limit of the order has no room for opening an account.
    const answer = await open.swap.execute(made);
    expect(answer).toMatchObject({ status: 'Failed', code: -2004 });
    expect(answer.error).toMatch(/would fail now/);
    expect(maker().of('/swap')).toHaveLength(0);
    const again = await order();
    expect(again.rentFeeLamports).toBe(Number(TOKEN_ACCOUNT_RENT));
    const before = lamports(open.swap.wallet.address);
    expect(await open.swap.execute(again)).toMatchObject({ status: 'Success' });
    expect(open.swap.holding(receiver.address, USDC.mint)).toBe(400_000_000n);
    expect(before - lamports(open.swap.wallet.address)).toBe(1_000_000_000n + TOKEN_ACCOUNT_RENT);
  });

  it('that gives its account away after the order has the maker sent nothing', async () => {
    fundMaker(open.market, receiver, USDC, 0n);
    const made = await order();
    giveAway(receiver);
    expect(await open.swap.execute(made)).toMatchObject({ status: 'Failed', code: -2004 });
    expect(maker().of('/swap')).toHaveLength(0);
  });

  it('that gives its account away for a while has the maker excused', async () => {
    fundMaker(open.market, receiver, USDC, 0n);
    const made = await order();
    const before = open.market.network.account(usdcOf(receiver.address)) as Account;
    maker().onSwap = ({ body }) => {
      giveAway(receiver);
      return { body: { quoteId: body.quoteId, state: 'rejected', rejectionReason: 'it fails' } };
    };
    await open.swap.execute(made);
    open.market.network.setAccount(usdcOf(receiver.address), before);
    const [record] = [...open.records.rows.values()];
    expect(record?.excuse).toMatch(/could not be made|can no longer succeed/);
  });
});

const SELL = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000000' };
/** The maker quotes the same number of atoms for a million in either direction. */
const BUY = { inputMint: USDC.mint, outputMint: SOL.mint, amount: '100000000' };
const ONLY_MAKERS = { excludeRouters: 'metis' };

function setUp(): void {
  receiver = open.swap.newWallet(0n);
}

const maker = () => open.makers[0] as (typeof open.makers)[number];
const lamports = (wallet: Address) => open.market.network.account(wallet)?.lamports ?? 0n;
const usdcOf = (wallet: Address) => deriveAssociatedTokenAddress(wallet, USDC.mint, TOKEN_PROGRAM);

function order(query: Record<string, string> = SELL) {
  return open.swap.order({ receiver: receiver.address, ...ONLY_MAKERS, ...query });
}

/** The account of the wallet at its address belongs to somebody else from now on. */
function giveAway(wallet: Keypair): void {
  const { account } = createMakerAccount(open.swap.newWallet(0n), USDC, 0n);
  open.market.network.setAccount(usdcOf(wallet.address), account);
  open.market.chain.publish([usdcOf(wallet.address)]);
}
