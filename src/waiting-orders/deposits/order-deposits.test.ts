import { describe, expect, it } from 'vitest';
import { openForAll } from '../../testing/opened.ts';
import { replaced } from '../../testing/replaced.ts';
import { SkippingTimers } from '../../testing/timers.ts';
import { OrderDesk, USDC } from '../../testing/waiting-orders/order-desk.ts';
import { signedAgain } from '../../testing/rfq/second-signature.ts';
import { type Chain, ChainUnavailable } from '../../chain/chain.ts';
import { parseTransaction } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';

const desk = openForAll(() => OrderDesk.open(), 'close');

describe('OrderDeposits', () => {
  it('lands the deposit in an account of its own, and opens the order', async () => {
    const before = desk.tokens(USDC);
    const crafted = await desk.deposits.craft(desk.depositRequest());
    const created = await desk.deposits.create(desk.orderRequest(crafted, { slippageBps: 0 }));
    expect(created).toMatchObject({ isConfirmed: true, message: null });
    expect(created.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const order = await desk.order(created.id);
    expect(order).toMatchObject({
      state: 'open',
      wallet: desk.wallet.address,
      vault: crafted.vault,
      account: crafted.account,
      inputAmount: 20_000_000n,
      remaining: 20_000_000n,
      plan: { kind: 'single', slippageBps: 0, triggerPrice: 0.5 },
      leaseHolder: null,
    });
    expect(desk.market.network.tokenBalance(crafted.account)).toBe(20_000_000n);
    expect(before - desk.tokens(USDC)).toBe(20_000_000n);
    expect(desk.reported.slice(-2).map(({ state }) => state)).toEqual(['depositing', 'open']);
    const [deposit] = await desk.orders.transactionsOf(created.id);
    expect(deposit).toMatchObject({ kind: 'deposit', outcome: 'success', signature: created.signature });
  });

  it('wraps SOL in the wallet’s own account, which stays open', async () => {
    const amount = 500_000_000n;
    const own = deriveAssociatedTokenAddress(desk.wallet.address, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
    const request = desk.depositRequest({ inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount });
    const before = desk.tokens(WRAPPED_SOL_MINT);
    const crafted = await desk.deposits.craft(request);
    await desk.deposits.create(desk.orderRequest(crafted, { outputMint: USDC, condition: 'above' }));
    expect(desk.market.network.tokenBalance(crafted.account)).toBe(amount);
    expect(desk.market.network.account(own)).not.toBeNull();
    expect(desk.tokens(WRAPPED_SOL_MINT)).toBe(before);
  });

  describe('a request that was answered before', () => {
    it('is answered again with the same order, also by another process', async () => {
      const crafted = await desk.deposits.craft(desk.depositRequest());
      const request = desk.orderRequest(crafted);
      const { id, signature } = await desk.deposits.create(request);
      const sent = desk.market.chain.sent;
      const again = await desk.deposits.create(request);
      expect(again).toEqual({
        id,
        signature,
        isConfirmed: true,
        message: 'The order was created before, and is open',
      });
      const { deposits } = desk.openAgain();
      expect(await deposits.create(request)).toEqual(again);
      expect(desk.market.chain.sent).toBe(sent);
    });

    it('is answered the same when it is sent many times at once', async () => {
      const crafted = await desk.deposits.craft(desk.depositRequest());
      const request = desk.orderRequest(crafted);
      const answers = await Promise.all(Array.from({ length: 8 }, () => desk.deposits.create(request)));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(answers.every(({ isConfirmed }) => isConfirmed)).toBe(true);
      expect(desk.market.network.tokenBalance(crafted.account)).toBe(20_000_000n);
    });

    it('is refused for another order, and for another wallet', async () => {
      const crafted = await desk.deposits.craft(desk.depositRequest());
      const request = desk.orderRequest(crafted);
      const { id } = await desk.deposits.create(request);
      await expect(desk.deposits.create({ ...request, triggerPriceUsd: 0.6 })).rejects.toMatchObject({
        kind: 'invalid',
        message: `Duplicate deposit: depositRequestId ${crafted.requestId} was used for the order ${id}, which is another one`,
      });
      const { address: wallet } = desk.stranger;
      await expect(desk.deposits.create({ ...request, wallet, userPubkey: wallet })).rejects.toMatchObject({
        kind: 'not the owner',
      });
    });
  });

  it('is not created with a deposit of another wallet, or one whose blockhash has expired', async () => {
    const crafted = await desk.deposits.craft(desk.depositRequest());
    const { address: wallet } = desk.stranger;
    const stolen = { ...desk.orderRequest(crafted), wallet, userPubkey: wallet };
    await expect(desk.deposits.create(stolen)).rejects.toMatchObject({
      kind: 'not the owner',
      message: 'Forbidden: the deposit was crafted for a different wallet',
    });
    desk.market.chain.pass(151n);
    await expect(desk.deposits.create(desk.orderRequest(crafted))).rejects.toMatchObject({
      kind: 'invalid',
      message: 'The deposit transaction has expired. Please craft a new deposit.',
    });
    expect(await desk.orders.findByDepositRequest(crafted.requestId)).toBeNull();
  });

  describe('a deposit that does not land', () => {
    it('ends the order when it fails on the chain', async () => {
      const poor = desk.tokens(USDC);
      const crafted = await desk.deposits.craft(desk.depositRequest({ amount: poor }));
      const request = desk.orderRequest(crafted);
      const other = await desk.deposits.craft(desk.depositRequest());
      await desk.deposits.create(desk.orderRequest(other));
      const failed = {
        kind: 'invalid',
        message: expect.stringMatching(/^Failed to execute deposit: .*\. Please craft a new deposit\.$/),
      };
      await expect(desk.deposits.create(request)).rejects.toMatchObject(failed);
      const order = await desk.orders.findByDepositRequest(crafted.requestId);
      expect(order).toMatchObject({ state: 'deposit_failed', leaseHolder: null });
      await expect(desk.deposits.create(request)).rejects.toMatchObject(failed);
      expect(desk.market.network.account(crafted.account)).toBeNull();
      await desk.withdraw((await desk.orders.findByDepositRequest(other.requestId))?.id ?? '');
    });

    it('ends the order when its blockhash expires', async () => {
      const { chain } = desk.market;
      const { deposits } = desk.openAgain({
        timers: new SkippingTimers((ms) => chain.pass(BigInt(Math.ceil(ms / 40)))),
      });
      const crafted = await deposits.craft(desk.depositRequest());
      chain.losing = Number.POSITIVE_INFINITY;
      const created = deposits.create(desk.orderRequest(crafted));
      await expect(created).rejects.toThrow(
        'Failed to execute deposit: its blockhash expired before it landed. Please craft a new deposit.',
      );
      chain.losing = 0;
      expect(await desk.orders.findByDepositRequest(crafted.requestId)).toMatchObject({
        state: 'deposit_failed',
      });
    });

    it('leaves the order to be resolved while the network does not say, and answers that', async () => {
      const replaceChain = (chain: Chain) => withoutAnswers(chain);
      const { deposits } = desk.openAgain({ timers: new SkippingTimers(), replaceChain });
      const crafted = await deposits.craft(desk.depositRequest());
      const request = desk.orderRequest(crafted);
      const { id, ...answer } = await deposits.create(request);
      expect(answer).toMatchObject({
        isConfirmed: false,
        message:
          'The deposit is not confirmed yet: the network did not report the outcome. Send the same request again to learn how it ends',
      });
      expect(await desk.order(id)).toMatchObject({ state: 'depositing' });
      expect(await desk.deposits.create(request)).toMatchObject({ id, isConfirmed: true });
      expect(await desk.order(id)).toMatchObject({ state: 'open' });
    });

    it('counts as landed when the wallet lands its message with another signature', async () => {
      const { chain } = desk.market;
      const crafted = await desk.deposits.craft(desk.depositRequest());
      const { deposits } = desk.openAgain({
        timers: new SkippingTimers((ms) => chain.pass(BigInt(Math.ceil(ms / 40)))),
        replaceChain: (real) => landingAs(real, (wire) => signedAgain(parseTransaction(wire), desk.wallet)),
      });
      const { id, signature, isConfirmed } = await deposits.create(desk.orderRequest(crafted));
      expect(isConfirmed).toBe(true);
      expect(await chain.transaction(signature)).toMatchObject({ error: null });
      expect(await desk.order(id)).toMatchObject({ state: 'open' });
    });
  });

  describe('a process that ends in between', () => {
    it.each<[string, Parameters<typeof desk.openAgain>[1]]>([
      ['before it signs', { custody: failing(desk.custody, 'sign') }],
      ['when it has signed', { orders: failing(desk.orders, 'create') }],
      ['when it has recorded', { settlements: failing(desk.settlements, 'settle') }],
    ])('%s leaves the request to be sent again', async (_, members) => {
      const crafted = await desk.deposits.craft(desk.depositRequest());
      const request = desk.orderRequest(crafted);
      await expect(desk.openAgain({}, members).deposits.create(request)).rejects.toThrow('the process ended');
      const { id, isConfirmed } = await desk.openAgain().deposits.create(request);
      expect(isConfirmed).toBe(true);
      expect(await desk.order(id)).toMatchObject({ state: 'open', transactions: 1 });
      expect(desk.market.network.tokenBalance(crafted.account)).toBe(20_000_000n);
    });
  });
});

/** A network that takes transactions in, and says nothing after that. */
function withoutAnswers(chain: Chain): Chain {
  return replaced(chain, {
    send: () => Promise.reject(new ChainUnavailable('it does not answer')),
    signatureStatuses: () => Promise.reject(new ChainUnavailable('it does not answer')),
    searchSignature: () => Promise.reject(new ChainUnavailable('it does not answer')),
  });
}

/** A network on which somebody lands another form of each transaction before it arrives. */
function landingAs(chain: Chain, change: (wire: Uint8Array) => Uint8Array): Chain {
  return replaced(chain, { send: (wire, options) => chain.send(change(wire), options) });
}

function failing<T extends object>(value: T, method: keyof T): T {
  return replaced(value, {
    [method]: () => Promise.reject(new Error('the process ended')),
  } as Partial<T>);
}
