import { describe, expect, it } from 'vitest';
import { createTestKey } from '../../testing/chain/bank.ts';
import { openForAll } from '../../testing/opened.ts';
import { replaced } from '../../testing/replaced.ts';
import { SkippingTimers } from '../../testing/timers.ts';
import { ChainUnavailable } from '../../chain/chain.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  type TokenAccount,
} from '../../solana/programs/token/account.ts';
import { closeAccount, transfer } from '../../solana/programs/token/instructions.ts';
import { applyOrderEvent } from '../machine.ts';
import { MAX_CRAFTS } from '../store/order-craft.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import type { CraftedWithdrawal } from './order-withdrawals.ts';
import { OrderDesk, signBase64, USDC } from '../../testing/waiting-orders/order-desk.ts';

const desk = openForAll(() => OrderDesk.open(), 'close');

describe('OrderWithdrawals', () => {
  it('gives everything back: the tokens, and the rent of the account', async () => {
    const before = { tokens: desk.tokens(USDC), lamports: desk.lamports(desk.wallet.address) };
    const { id, account } = await desk.openOrder();
    const { signature } = await desk.withdraw(id);
    expect(await desk.order(id)).toMatchObject({ state: 'cancelled', remaining: 20_000_000n });
    expect(desk.tokens(USDC)).toBe(before.tokens);
    expect(desk.market.network.account(account)).toBeNull();
    // Three signatures each.
    expect(before.lamports - desk.lamports(desk.wallet.address)).toBe(30_000n);
    const [, withdrawal] = await desk.orders.transactionsOf(id);
    expect(withdrawal).toMatchObject({
      kind: 'withdrawal',
      outcome: 'success',
      signature,
      inputAmount: 20_000_000n,
    });
  });

  it('unwraps SOL, and opens the wallet’s account of other tokens if it has been closed', async () => {
    const { address } = desk.wallet;
    const { id, account } = await desk.openOrder({
      inputMint: WRAPPED_SOL_MINT,
      outputMint: USDC,
      amount: 700_000_000n,
    });
    const before = desk.lamports(address);
    await desk.withdraw(id);
    expect(desk.market.network.account(account)).toBeNull();
    expect(desk.lamports(address) - before).toBe(700_000_000n + 2_039_280n - 15_000n);

    const all = desk.tokens(USDC);
    const order = await desk.openOrder({ amount: all });
    const own = deriveAssociatedTokenAddress(address, USDC, TOKEN_PROGRAM);
    await desk.land(desk.wallet, [
      closeAccount(TOKEN_PROGRAM, { account: own, destination: address, authority: address }),
    ]);
    expect(desk.market.network.account(own)).toBeNull();
    await desk.withdraw(order.id);
    expect(desk.tokens(USDC)).toBe(all);
  });

  it('stops fills at once, and hands out another transaction each time', async () => {
    const { id } = await desk.openOrder();
    const first = await desk.withdrawals.cancel(desk.wallet.address, id, 'price');
    expect(await desk.order(id)).toMatchObject({ state: 'ready_to_cancel' });
    const second = await desk.withdrawals.cancel(desk.wallet.address, id, 'price');
    expect(second.requestId).not.toBe(first.requestId);
    expect(Buffer.compare(first.messageBytes, second.messageBytes)).not.toBe(0);
    await desk.withdrawals.confirm(desk.confirmation(first));
    expect(await desk.order(id)).toMatchObject({ state: 'cancelled' });
  });

  it('gives many orders back whose withdrawals were all handed out before the first was signed', async () => {
    const before = desk.tokens(USDC);
    const crafted: CraftedWithdrawal[] = [];
    for (let count = 0; count <= MAX_CRAFTS; count++) {
      const { id } = await desk.openOrder({ amount: 10_000_000n });
      crafted.push(await desk.withdrawals.cancel(desk.wallet.address, id, 'price'));
    }
    for (const each of crafted) await desk.withdrawals.confirm(desk.confirmation(each));
    expect(desk.tokens(USDC)).toBe(before);
  });

  it('gives an expired order back, whose money waits until the wallet asks for it', async () => {
    const { id } = await desk.openOrder();
    const order = await desk.order(id);
    const expired = applyOrderEvent(order, { kind: 'expired', at: order.expiresAt });
    if (expired.ok) await desk.orders.update(expired.value, order.revision);
    expect(await desk.order(id)).toMatchObject({ state: 'expired' });
    await desk.withdraw(id);
    expect(await desk.order(id)).toMatchObject({ state: 'cancelled' });
  });

  it('says what the wallet lacks for the fees, and has stopped fills by then', async () => {
    const { id } = await desk.openOrder();
    const { address } = desk.wallet;
    const { network } = desk.market;
    const before = network.account(address);
    if (before === null) throw new Error('the wallet has nothing');
    network.setAccount(address, { ...before, lamports: 890_880n });
    await expect(desk.withdrawals.cancel(address, id, 'price')).rejects.toThrow(
      /^(Insufficient SOL|A wallet would be left)/,
    );
    network.setAccount(address, before);
    expect(await desk.order(id)).toMatchObject({ state: 'ready_to_cancel' });
    await desk.withdraw(id);
  });

  it.each<[string, Partial<TokenAccount>]>([
    ['a thief has made its own', { owner: createTestKey(77).address }],
    ['is frozen', { state: 'frozen' }],
  ])('gives the whole account to a wallet whose associated account %s', async (_, changes) => {
    const { network } = desk.market;
    const { id, account } = await desk.openOrder();
    const own = deriveAssociatedTokenAddress(desk.wallet.address, USDC, TOKEN_PROGRAM);
    const before = network.account(own);
    if (before === null) throw new Error('the wallet has no account');
    const changed = { ...decodeTokenAccount(before.data), ...changes };
    network.setAccount(own, { ...before, data: encodeTokenAccount(changed) });
    await desk.withdraw(id);
    network.setAccount(own, before);
    expect(decodeTokenAccount(network.account(account)?.data ?? new Uint8Array())).toMatchObject({
      owner: desk.wallet.address,
      amount: 20_000_000n,
    });
    expect(await desk.order(id)).toMatchObject({ state: 'cancelled' });
  });

  describe('a confirmation', () => {
    it('has the same answer again, also from another process and many at once', async () => {
      const { id } = await desk.openOrder();
      const crafted = await desk.withdrawals.cancel(desk.wallet.address, id, 'price');
      const confirmation = desk.confirmation(crafted);
      const others = desk.openAgain().withdrawals;
      const answers = await Promise.all(
        [desk.withdrawals, others, desk.withdrawals, others].map((each) => each.confirm(confirmation)),
      );
      answers.push(await others.confirm(confirmation));
      expect(new Set(answers.map(({ signature }) => signature)).size).toBe(1);
      expect((await desk.orders.transactionsOf(id)).map(({ kind }) => kind)).toEqual([
        'deposit',
        'withdrawal',
      ]);
    });

    it('of two transactions at once lands one, and both answers name it', async () => {
      const before = desk.tokens(USDC);
      const { id } = await desk.openOrder();
      const crafted = [await desk.withdrawals.cancel(desk.wallet.address, id, 'price')];
      crafted.push(await desk.withdrawals.cancel(desk.wallet.address, id, 'price'));
      const others = desk.openAgain().withdrawals;
      const answers = await Promise.all(
        [desk.withdrawals, others].map((each, index) =>
          each.confirm(desk.confirmation(crafted[index] as CraftedWithdrawal)),
        ),
      );
      const [, withdrawal, ...more] = await desk.orders.transactionsOf(id);
      expect(more).toEqual([]);
      expect(answers.map(({ signature }) => signature)).toEqual(Array(2).fill(withdrawal?.signature));
      expect(desk.tokens(USDC)).toBe(before);
    });

    it('is not taken for another order, an unknown id, or an order that is not cancelled', async () => {
      const [one, other] = [await desk.openOrder(), await desk.openOrder()];
      await expect(
        desk.withdrawals.confirm(
          desk.confirmation({
            ...(await desk.withdrawals.cancel(desk.wallet.address, other.id, 'price')),
            id: one.id,
          }),
        ),
      ).rejects.toThrow('Order is not yet marked ready to cancel: it is open');
      const crafted = await desk.withdrawals.cancel(desk.wallet.address, one.id, 'price');
      const confirmation = desk.confirmation(crafted);
      for (const wrong of [{ orderId: other.id }, { cancelRequestId: 'unknown' }]) {
        await expect(desk.withdrawals.confirm({ ...confirmation, ...wrong })).rejects.toMatchObject({
          kind: 'invalid',
          message: 'Withdrawal transaction not found in cache. Please initiate cancel again.',
        });
      }
      const signedTransaction = signBase64(crafted.messageBytes, desk.wallet);
      const changed = Buffer.from(signedTransaction, 'base64');
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      await expect(
        desk.withdrawals.confirm({ ...confirmation, signedTransaction: changed.toString('base64') }),
      ).rejects.toThrow(/^Invalid /);
      await desk.withdraw(one.id);
      await desk.withdraw(other.id);
    });

    it('says that the withdrawal has expired, and lets the wallet cancel again', async () => {
      const { id } = await desk.openOrder();
      const crafted = await desk.withdrawals.cancel(desk.wallet.address, id, 'price');
      desk.market.chain.pass(151n);
      await expect(desk.withdrawals.confirm(desk.confirmation(crafted))).rejects.toThrow(
        'The withdrawal transaction has expired. Please initiate cancel again.',
      );
      await desk.withdraw(id);
    });

    it('asks to be sent again while the network does not say, and then has the answer', async () => {
      const { id } = await desk.openOrder();
      const crafted = await desk.withdrawals.cancel(desk.wallet.address, id, 'price');
      const down = () => Promise.reject(new ChainUnavailable('it does not answer'));
      const { withdrawals } = desk.openAgain({
        timers: new SkippingTimers(),
        replaceChain: (chain) =>
          replaced(chain, { send: down, signatureStatuses: down, searchSignature: down }),
      });
      await expect(withdrawals.confirm(desk.confirmation(crafted))).rejects.toThrow(Unavailable);
      expect(await desk.order(id)).toMatchObject({ state: 'withdrawing' });
      // Another one may be asked for, but it does not land beside the first.
      const second = await desk.withdrawals.cancel(desk.wallet.address, id, 'price');
      const { signature } = await desk.withdrawals.confirm(desk.confirmation(second));
      expect(await desk.withdrawals.confirm(desk.confirmation(crafted))).toEqual({ id, signature });
      expect(await desk.order(id)).toMatchObject({ state: 'cancelled' });
    });
  });

  describe('an order that cannot be cancelled', () => {
    it.each<[WaitingOrder['state'], string]>([
      ['depositing', 'Order is not cancellable: it is depositing; try again shortly'],
      ['executing', 'Order is not cancellable: it is executing; try again shortly'],
      ['fill_success', 'Order is not cancellable: it is fill_success'],
      ['cancelled', 'Order is not cancellable: it is cancelled'],
      ['deposit_failed', 'Order is not cancellable: it is deposit_failed'],
    ])('is one that is %s', async (state, message) => {
      const { id } = await desk.openOrder();
      const order = await desk.order(id);
      await desk.orders.update({ ...order, state, revision: order.revision + 1 }, order.revision);
      await expect(desk.withdrawals.cancel(desk.wallet.address, id, 'price')).rejects.toMatchObject({
        kind: 'invalid',
        message,
      });
    });

    it('is one of another wallet, or none at all', async () => {
      const { id } = await desk.openOrder();
      await expect(desk.withdrawals.cancel(desk.stranger.address, id, 'price')).rejects.toMatchObject({
        kind: 'not the owner',
        message: 'Forbidden: the order belongs to a different wallet',
      });
      await expect(desk.withdrawals.cancel(desk.wallet.address, 'unknown', 'price')).rejects.toMatchObject({
        kind: 'not found',
        message: 'Order not found',
      });
      expect(await desk.order(id)).toMatchObject({ state: 'open' });
    });
  });

  describe('a stranger who sends tokens to the account', () => {
    it('gives them to the wallet if they come before the withdrawal is crafted', async () => {
      const before = desk.tokens(USDC);
      const { id, account } = await desk.openOrder();
      await sendDust(account);
      await desk.withdraw(id);
      expect(desk.tokens(USDC) - before).toBe(1n);
    });

    it('cannot hold the money back, even by sending more each time', async () => {
      const before = desk.tokens(USDC);
      const { id, account } = await desk.openOrder();
      for (const attempt of [1n, 2n]) {
        const crafted = await desk.withdrawals.cancel(desk.wallet.address, id, 'price');
        await sendDust(account, attempt);
        await expect(desk.withdrawals.confirm(desk.confirmation(crafted))).rejects.toThrow(
          /^Failed to execute withdrawal: .*\. Please initiate cancel again\.$/,
        );
        expect(await desk.order(id)).toMatchObject({ state: 'ready_to_cancel' });
        const { length } = await desk.orders.transactionsOf(id);
        await expect(desk.withdrawals.confirm(desk.confirmation(crafted))).rejects.toThrow(
          'Failed to execute withdrawal: it failed on the chain. Please initiate cancel again.',
        );
        expect(await desk.orders.transactionsOf(id)).toHaveLength(length);
      }
      const crafted = await desk.withdrawals.cancel(desk.wallet.address, id, 'price');
      await sendDust(account, 3n);
      await desk.withdrawals.confirm(desk.confirmation(crafted));
      expect(await desk.order(id)).toMatchObject({ state: 'cancelled' });
      expect(desk.tokens(USDC) - before).toBe(3n);
      // What came last is the wallet's too, and the rent.
      const { wallet } = desk;
      const left = decodeTokenAccount(desk.market.network.account(account)?.data ?? new Uint8Array());
      expect(left).toMatchObject({ owner: wallet.address, amount: 3n });
    });
  });
});

async function sendDust(destination: Address, amount = 1n): Promise<void> {
  const { address: authority } = desk.stranger;
  const source = deriveAssociatedTokenAddress(authority, USDC, TOKEN_PROGRAM);
  await desk.land(desk.stranger, [transfer(TOKEN_PROGRAM, { source, destination, authority, amount })]);
}
