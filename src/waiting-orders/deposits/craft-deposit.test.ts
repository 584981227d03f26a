import { describe, expect, it } from 'vitest';
import { openForAll } from '../../testing/opened.ts';
import { BERN, JUP, OrderDesk, PYUSD, USDC } from '../../testing/waiting-orders/order-desk.ts';
import { createTestKey } from '../../testing/chain/bank.ts';
import type { Address } from '../../solana/address.ts';
import { parseMessage } from '../../solana/messages/message.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { DepositRequest } from './craft-deposit.ts';
import { decodeDepositTerms } from './deposit-craft.ts';

const desk = openForAll(() => OrderDesk.open(), 'close');

describe('craftDeposit', () => {
  it('hands out a transaction under an id, and keeps what it does', async () => {
    const crafted = await desk.deposits.craft(desk.depositRequest());
    const vault = await desk.custody.findVault(desk.wallet.address);
    expect(crafted).toMatchObject({ vault, mint: USDC, decimals: 6, amount: 20_000_000n });
    expect(crafted.requestId).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const kept = await desk.orders.getCraft(crafted.requestId);
    expect(kept).toMatchObject({ kind: 'deposit', wallet: desk.wallet.address, orderId: null });
    expect(decodeDepositTerms(kept?.terms ?? '')).toEqual({
      vault,
      account: crafted.account,
      inputMint: USDC,
      outputMint: WRAPPED_SOL_MINT,
      amount: 20_000_000n,
      kind: 'single',
      outputAccount: null,
      earnMint: null,
    });
    const again = await desk.deposits.craft(desk.depositRequest());
    expect(again.account).not.toBe(crafted.account);
    expect(parseMessage(again.messageBytes).staticAccounts[0]).toBe(desk.wallet.address);
  });

  it.each<[bigint, string]>([
    [1n, '0.00'],
    [80_000n, '0.08'],
    [9_999_999n, '9.99'],
  ])('refuses %d atoms of USDC, which are less than 10 USD', async (amount, shown) => {
    await expect(desk.deposits.craft(desk.depositRequest({ amount }))).rejects.toMatchObject({
      kind: 'invalid',
      message: `Order must be at least 10 USD (current value: ${shown} USD)`,
    });
    await desk.deposits.craft(desk.depositRequest({ amount: 10_000_000n }));
  });

  it.each<[string, () => Partial<DepositRequest>, RegExp]>([
    ['with one mint', () => ({ outputMint: USDC }), /^Input mint and output mint cannot be the same$/],
    ['of what is no mint', () => ({ inputMint: STRANGER }), /^inputMint \w+ is no mint of this network$/],
    ['for what is no mint', () => ({ outputMint: STRANGER }), /^outputMint \w+ is no mint of this network$/],
    [
      'of a token whose issuer may take it back',
      () => ({ inputMint: PYUSD }),
      /^inputMint \w+ has a permanent delegate, and is not on the whitelist of the operator$/,
    ],
    [
      'for a token that would wait in the vault too, and whose issuer may take it back',
      () => ({ outputMint: PYUSD, kind: 'otoco' }),
      /^outputMint \w+ has a permanent delegate, and is not on the whitelist of the operator$/,
    ],
    [
      'of more than the wallet has',
      () => ({ amount: 10n ** 18n }),
      /^Insufficient funds: it takes 1000000000000000000 base units, and \w+ has \d+$/,
    ],
    [
      'of more SOL than the wallet has',
      () => ({ inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: 10n ** 18n }),
      /^Insufficient funds: it takes 1000000000000000000 lamports, and \w+ has \d+$/,
    ],
  ])('refuses a deposit %s', async (_, changes, message) => {
    await expect(desk.deposits.craft(desk.depositRequest(changes()))).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(message),
    });
  });

  it('refuses other wallets than the one that has signed in', async () => {
    const vault = (await desk.custody.findVault(desk.wallet.address)) as Address;
    const craft = (changes: Partial<DepositRequest>) => desk.deposits.craft(desk.depositRequest(changes));
    await expect(craft({ userAddress: desk.stranger.address })).rejects.toMatchObject({
      kind: 'not the owner',
      message: 'Forbidden: userPubkey must match authenticated user',
    });
    await expect(craft({ userAddress: vault })).rejects.toMatchObject({
      kind: 'invalid',
      message: 'userAddress must be the wallet, and not its vault',
    });
    await expect(craft({ wallet: STRANGER, userAddress: STRANGER })).rejects.toMatchObject({
      kind: 'not the owner',
      message: `Forbidden: ${STRANGER} has no vault; register one first`,
    });
  });

  it('refuses more orders than a wallet may have', async () => {
    await desk.openOrder();
    const open = await desk.orders.openCount(desk.wallet.address, 'price');
    const { deposits } = desk.openAgain({ maxOpen: open });
    await expect(deposits.craft(desk.depositRequest())).rejects.toMatchObject({
      kind: 'invalid',
      message: `Maximum of ${open} active price orders allowed per user`,
    });
  });

  it('takes a mint that the operator allows', async () => {
    const { deposits } = desk.openAgain({ allowedMints: new Set([PYUSD]) });
    const crafted = await deposits.craft(desk.depositRequest({ inputMint: PYUSD, outputMint: JUP }));
    const request = desk.orderRequest(crafted, { outputMint: JUP, triggerMint: JUP });
    const { id } = await deposits.create(request);
    expect(await desk.order(id)).toMatchObject({ state: 'open', inputAmount: 20_000_000n });
    await desk.withdraw(id);
    expect(await desk.order(id)).toMatchObject({ state: 'cancelled' });
  });

  it('counts what arrives of a mint with a transfer fee, and gives that back', async () => {
    const { deposits } = desk.openAgain({ allowedMints: new Set([BERN]) });
    const amount = 10_000_000_000n;
    const crafted = await deposits.craft(desk.depositRequest({ inputMint: BERN, outputMint: JUP, amount }));
    const request = desk.orderRequest(crafted, { outputMint: JUP, triggerMint: JUP });
    const { id } = await deposits.create(request);
    const { inputAmount, account } = await desk.order(id);
    expect(inputAmount).toBeLessThan(amount);
    expect(desk.market.network.tokenBalance(account)).toBe(inputAmount);
    expect(await deposits.create(request)).toMatchObject({ id });
    await desk.withdraw(id);
    expect(desk.market.network.account(account)).toBeNull();
  });
});

const { address: STRANGER } = createTestKey(99);
