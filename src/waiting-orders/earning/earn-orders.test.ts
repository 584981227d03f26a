import { describe, expect, it } from 'vitest';
import { encodeTokenAccount, decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { EarnDesk, INTERVAL_SECONDS } from '../../testing/waiting-orders/earn-desk.ts';
import { PYUSD, JUP, USDC } from '../../testing/waiting-orders/order-desk.ts';
import { deriveReserveVaultAddress } from '../../protocols/jupiter-lend/liquidity/addresses.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';

const earning = await EarnDesk.open();
const { desk } = earning;
const { wallet } = desk;
const AMOUNT = 20_000_000n;

describe('OrderDeposits with what earns', () => {
  it('takes exactly the amount, and keeps the shares in the account of the order', async () => {
    const before = desk.tokens(USDC);
    const crafted = await earning.craft();
    const request = earning.request(crafted);
    const { id } = await desk.deposits.create(request);
    const order = await desk.order(id);
    expect(order).toMatchObject({
      state: 'open',
      inputAmount: AMOUNT,
      remaining: AMOUNT,
      account: crafted.account,
    });
    expect(order.plan).toMatchObject({ kind: 'time_based', earnMint: earning.earnMint });
    expect(before - desk.tokens(USDC)).toBe(AMOUNT);
    const held = decodeTokenAccount(desk.market.network.account(order.account)?.data ?? new Uint8Array());
    expect(held).toMatchObject({ owner: order.vault, mint: earning.earnMint });
    expect(await desk.deposits.create(request)).toMatchObject({
      id,
      message: expect.stringContaining('before'),
    });
    await desk.withdraw(id);
  });

  it.each([
    [{ kind: 'single' }, "jlMint must be omitted when orderType is 'price'"],
    [{ inputMint: JUP, amount: 100_000_000n }, 'jlEnabled is not supported for this input mint'],
    [{ inputMint: PYUSD }, 'jlEnabled is not supported for this input mint'],
    [{ earnMint: USDC }, 'jlMint does not match the JL token for this input mint'],
    [{ outputMint: earning.earnMint }, 'Input mint and output mint cannot be the same'],
  ] as const)('crafts none with %o', async (changes, message) => {
    await expect(earning.craft(changes)).rejects.toThrow(message);
  });

  it.each([
    [
      { kind: 'price_conditional', minPriceUsd: 1, triggerMint: 'output' },
      'jlEnabled is only supported for time_based orders',
    ],
    [{ earnMint: null }, 'jlMint does not match the JL token for this input mint'],
    [{ earns: false }, 'jlMint must be omitted when jlEnabled is false'],
    [{ earns: false, earnMint: null }, 'The deposit was crafted with jlMint'],
  ] as const)('creates none over a deposit that earns with %o', async (changes, message) => {
    const request = earning.request(await earning.craft());
    const triggerMint = 'triggerMint' in changes ? request.outputMint : null;
    await expect(desk.deposits.create({ ...request, ...changes, triggerMint })).rejects.toThrow(message);
  });

  it('creates none that earns over another deposit', async () => {
    const request = earning.request(await earning.craft({ earnMint: null }));
    await expect(desk.deposits.create(request)).rejects.toThrow(
      'JL orders require the JL deposit craft. Please re-craft the deposit with jlMint.',
    );
  });
});

describe('rounds of an order that earns', () => {
  it('sell its deposit and no more, and the last one pays what it has earned', async () => {
    const order = await earning.openOrder();
    const first = await earning.fillRound(order);
    expect(first).toMatchObject({ state: 'open', remaining: AMOUNT / 2n, rounds: { filled: 1 } });
    earning.pass(INTERVAL_SECONDS);
    const last = await earning.fillRound(order);
    expect(last).toMatchObject({ state: 'fill_success', remaining: 0n, rounds: { filled: 2 } });
    const fills = (await desk.orders.transactionsOf(order.id)).filter(({ kind }) => kind === 'fill');
    expect(fills.map(({ inputAmount, outcome }) => [inputAmount, outcome])).toEqual([
      [AMOUNT / 2n, 'success'],
      [AMOUNT / 2n, 'success'],
    ]);
    expect(fills[1]?.outputAmount).toBe(last.received - first.received);
    expect(desk.lamports(order.account)).toBe(0n);
  });

  it('wait with a reason while everything is lent out, and are filled after that', async () => {
    const order = await earning.openOrder();
    const restore = lendAllOut();
    const waiting = await earning.fillRound(order);
    expect(waiting).toMatchObject({ state: 'open', remaining: AMOUNT, waitsFor: 'route' });
    restore();
    expect(await earning.fillRound(order)).toMatchObject({ rounds: { filled: 1 }, waitsFor: null });
    await desk.withdraw(order.id);
  });
});

describe('OrderWithdrawals of an order that earns', () => {
  it('pays everything with what it has earned, once, however often it is cancelled and confirmed', async () => {
    const order = await earning.openOrder();
    earning.pass(30 * 86_400);
    const before = desk.tokens(USDC);
    const [one, other] = [await cancel(order.id), await cancel(order.id)];
    const landed = await desk.withdrawals.confirm(desk.confirmation(one));
    const paid = desk.tokens(USDC) - before;
    expect(paid).toBeGreaterThan(AMOUNT);
    expect(await desk.withdrawals.confirm(desk.confirmation(other))).toEqual(landed);
    expect(await desk.withdrawals.confirm(desk.confirmation(one))).toEqual(landed);
    expect(desk.tokens(USDC) - before).toBe(paid);
    expect(await desk.order(order.id)).toMatchObject({ state: 'cancelled' });
    const [, withdrawal] = await desk.orders.transactionsOf(order.id);
    expect(withdrawal).toMatchObject({ kind: 'withdrawal', inputAmount: paid });
    expect(desk.lamports(order.account)).toBe(0n);
  });

  it('stops the last round, whatever a keeper has planned of it', async () => {
    const order = await earning.openOrder();
    await cancel(order.id);
    expect(await earning.fillRound(order)).toMatchObject({ state: 'ready_to_cancel', remaining: AMOUNT });
  });

  it('gives the shares themselves back while everything is lent out', async () => {
    const order = await earning.openOrder();
    const held = desk.market.network.tokenBalance(order.account);
    const before = desk.tokens(earning.earnMint);
    const restore = lendAllOut();
    await desk.withdraw(order.id);
    restore();
    expect(desk.tokens(earning.earnMint) - before).toBe(held);
    expect(await desk.order(order.id)).toMatchObject({ state: 'cancelled' });
    expect(desk.lamports(order.account)).toBe(0n);
  });

  it('gives shares back that are too few to be redeemed', async () => {
    const order = await earning.openOrder();
    const { network } = desk.market;
    const account = network.account(order.account);
    if (account === null) throw new Error('the order has no account');
    const dust = encodeTokenAccount({ ...decodeTokenAccount(account.data), amount: 3n });
    network.setAccount(order.account, { ...account, data: dust });
    const before = desk.tokens(earning.earnMint);
    await desk.withdraw(order.id);
    expect(desk.tokens(earning.earnMint) - before).toBe(3n);
    expect(desk.lamports(order.account)).toBe(0n);
  });

  it('that fails because everything was lent out in the meantime leaves the order to be cancelled again', async () => {
    const order = await earning.openOrder();
    const crafted = await cancel(order.id);
    const restore = lendAllOut();
    await expect(desk.withdrawals.confirm(desk.confirmation(crafted))).rejects.toThrow(
      'Please initiate cancel again',
    );
    expect(await desk.order(order.id)).toMatchObject({ state: 'ready_to_cancel' });
    restore();
    await desk.withdraw(order.id);
    expect(await desk.order(order.id)).toMatchObject({ state: 'cancelled' });
  });
});

function cancel(id: string) {
  return desk.withdrawals.cancel(wallet.address, id, 'recurring');
}

/** Takes everything that is lent of USDC out of its reserve, until the returned function is called. */
function lendAllOut(): () => void {
  const { network, chain } = desk.market;
  const vault = deriveReserveVaultAddress(USDC, TOKEN_PROGRAM);
  const before = network.account(vault);
  if (before === null) throw new Error('the reserve of USDC has no account');
  const write = (account: typeof before) => {
    network.setAccount(vault, account);
    chain.publish([vault]);
  };
  write({ ...before, data: encodeTokenAccount({ ...decodeTokenAccount(before.data), amount: 0n }) });
  return () => write(before);
}
