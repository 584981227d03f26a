import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fundMaker, makerHolds, SOL, USDC } from '../../../test/genesis-market/makers.ts';
import { openTestSwap } from '../../../test/genesis-market/swap.ts';
import { HELD, openWebhookSwap, type WebhookSwap } from '../../../test/genesis-market/webhooks.ts';
import { signedAgain } from '../../../test/second-signature.ts';
import { LeapingTimers, ManualTimers } from '../../../test/timers.ts';
import { type Answering, type Asked, answer, type TestWebhook } from '../../../test/webhook-maker.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { messageInstructions } from '../../solana/messages/message.ts';
import { encodeBase58 } from '../../solana/encoding/base58.ts';
import {
  addSignatures,
  parseTransaction,
  signTransaction,
  transactionSignature,
} from '../../solana/messages/transaction.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../solana/programs/compute-budget.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { executeSwap } from './execution/execute.ts';
import type { OrderResponse } from './endpoints/order-schema.ts';

const SELL = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000000' };
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;

let open: WebhookSwap;
let maker: TestWebhook;

beforeEach(async () => {
  open = await openWebhookSwap({ count: 2 });
  const [first, second] = open.makers as [TestWebhook, TestWebhook];
  maker = first;
  // The honest one pays a little less, and wins when the other fails.
  second.rate = first.rate - 1_000n;
});
afterEach(() => open.close());

const outcomes = () => open.webhooks.find('maker-0')?.state;

/** Lets the fill expire, and everything that could be on the chain be final. */
function expire() {
  const { network, chain } = open.market;
  network.setUnixTime(chain.clock().unixTimestamp + 56n);
  chain.pass(1n);
}

describe('a request for quotes to webhook makers', () => {
  const wrong =
    (change: Record<string, unknown>): Answering =>
    ({ body }) => ({
      body: { ...maker.quote(body), ...change },
    });
  it.each<[string, Answering]>([
    ['by resetting the connection', (_, response) => void response.socket?.resetAndDestroy()],
    ['with garbage', () => ({ body: '<html>' })],
    ['with more than it may', () => ({ body: 'x'.repeat(100_000) })],
    [
      'with a flood that never ends',
      (_, response) => {
        response.writeHead(200);
        const flood = setInterval(() => response.write('x'.repeat(10_000)), 1);
        response.on('close', () => clearInterval(flood));
      },
    ],
    ['with a redirect', (_, response) => void response.writeHead(302, { location: maker.url }).end()],
    ['with an error', () => ({ status: 500, body: { message: 'no' } })],
    ['with another amount in', wrong({ amountIn: '1' })],
    ['with an amount that is no text', wrong({ amountOut: 400_000_000 })],
    ['with an amount beyond u64', wrong({ amountOut: '18446744073709551616' })],
    ['in the name of another maker', wrong({ maker: USDC.mint })],
    ['for another request', wrong({ requestId: 'another' })],
    ['for another token', wrong({ tokenOut: SOL.mint })],
    ['with a price that would empty it', wrong({ prioritizationFeeToUse: 10 ** 12 })],
    ['with more than it holds', wrong({ amountOut: (HELD * 2n).toString() })],
  ])('%s does not win, and another maker does', async (_, onQuote) => {
    maker.onQuote = onQuote;
    const order = await open.swap.order(SELL);
    expect(order).toMatchObject({ router: 'jupiterz', outAmount: '399000000' });
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Success' });
  });

  it('asks a maker again that answered 404, and does not count that against it', async () => {
    maker.onQuote = () => ({ status: 404, body: { message: 'not this pair' } });
    for (let times = 0; times < 8; times++) await open.swap.order(SELL);
    expect(maker.of('/quote')).toHaveLength(8);
    expect(outcomes()).toMatchObject({ failures: 0, outcomes: [] });
  });

  it('leaves out a maker for a while that answers late several times, so that orders do not wait for it', async () => {
    await open.close();
    const timers = new ManualTimers();
    open = await openWebhookSwap({ quoteMs: 100, after: (ms, callback) => timers.after(ms, callback) });
    maker = open.makers[0] as TestWebhook;
    maker.onQuote = () => timers.advance(100);
    for (let times = 0; times < 6; times++) await open.swap.order(SELL);
    expect(maker.of('/quote').length).toBe(3);
    open.clock.advance(1_000);
    expect(await open.swap.order(SELL)).toMatchObject({ router: 'metis' });
    expect(maker.of('/quote').length).toBe(4);
  });

  it('is won by a maker that is also the referral account of the order', async () => {
    const referral = { referralAccount: maker.keypair.address, referralFee: '85' };
    const order = await open.swap.order({
      ...SELL,
      ...referral,
      webhookId: 'maker-0',
      excludeRouters: 'metis',
    });
    expect(order).toMatchObject({ router: 'jupiterz', maker: maker.keypair.address, feeBps: 85 });
    expect(await open.swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
  });

  it('goes to one maker only with webhookId, and is answered 404 when its quote cannot be settled', async () => {
    const asked = { ...SELL, webhookId: 'maker-1', excludeRouters: 'metis' };
    expect(await open.swap.order(asked)).toMatchObject({ maker: open.makers[1]?.keypair.address });
    expect(maker.of('/quote')).toHaveLength(0);
    fundMaker(open.market, maker.keypair, USDC, 1n);
    await expect(open.swap.order({ ...asked, webhookId: 'maker-0' })).rejects.toMatchObject({
      askedMakersOnly: true,
    });
    await expect(open.swap.order({ ...asked, webhookId: 'nobody' })).rejects.toMatchObject({
      askedMakersOnly: true,
    });
  });
});

describe('a swap that is sent to its webhook maker', () => {
  it('counts against a maker that rejects it once the fill has expired, and not before', async () => {
    maker.onSwap = ({ body: { quoteId } }) => ({
      body: { quoteId, state: { rejectedWithReason: 'insufficientBalance' } },
    });
    const order = await open.swap.order(SELL);
    const answered = await open.swap.execute(order);
    expect(answered).toMatchObject({ status: 'Failed', code: -2_004 });
    expect(answered.error).toContain('the maker rejects the swap: insufficientBalance');
    expire();
    await vi.waitFor(() => expect(outcomes()).toMatchObject({ missed: 1 }));
    expect(await open.swap.execute(order)).toMatchObject({ code: -2_004 });
    expect(maker.of('/swap')).toHaveLength(1);
    expect(open.store.transitions).toEqual(['prod -> suspended: a swap was missed']);
  });

  it('turns off a maker that lands it after rejecting it', async () => {
    maker.onSwap = async (asked) => {
      await maker.land(asked);
      return { body: { quoteId: asked.body.quoteId, state: 'rejected', rejectionReason: 'no' } };
    };
    const order = await open.swap.order(SELL);
    await open.swap.execute(order);
    await vi.waitFor(() => expect(outcomes()?.off).toContain('after it had rejected it'));
    // The chain has the last word.
    expect(await open.swap.execute(order)).toMatchObject({
      status: 'Success',
      totalOutputAmount: order.outAmount,
    });
  });

  it.each<[string, Answering]>([
    ['hangs', () => {}],
    ['resets the connection', (_, response) => void response.socket?.resetAndDestroy()],
    ['answers garbage', () => ({ body: 'ok' })],
    ['accepts another swap', () => ({ body: { quoteId: 'another', state: 'accepted' } })],
    ['accepts and does nothing', ({ body: { quoteId } }) => ({ body: { quoteId, state: 'accepted' } })],
    [
      'accepts and names a transaction of somebody else',
      ({ body: { quoteId } }) => ({ body: { quoteId, state: 'accepted', txSignature: '1'.repeat(64) } }),
    ],
  ])('and %s is waited for until the fill expires, and then it counts', async (_, onSwap) => {
    maker.onSwap = onSwap;
    const order = await open.swap.order(SELL);
    const executed = open.swap.execute(order);
    await vi.waitFor(() => expect(maker.of('/swap')).toHaveLength(1));
    const { network, chain } = open.market;
    // Shortly before the expiry the swap could still be made, so it is the maker's fault that it was not.
    const simulate = vi.spyOn(chain, 'simulate');
    network.setUnixTime(chain.clock().unixTimestamp + 54n);
    await vi.waitFor(() => expect(simulate).toHaveBeenCalled());
    await Promise.all(simulate.mock.results.map(({ value }) => value as unknown));
    expire();
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_000 });
    expect(outcomes()).toMatchObject({ missed: 1, excused: 0 });
  });

  it('is filled once if its maker lands it twice', async () => {
    maker.onSwap = async (asked) => {
      await maker.land(asked);
      await maker.land(asked).catch(() => {});
      return { body: { quoteId: asked.body.quoteId, state: 'accepted' } };
    };
    const order = await open.swap.order(SELL);
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Success' });
    expect(makerHolds(open.market, maker.keypair, SOL) - HELD).toBe(1_000_000_000n);
    expect(outcomes()).toMatchObject({ filled: 1, missed: 0 });
  });

  it('is filled if its maker lands it without an answer', async () => {
    maker.onSwap = (asked) => void maker.land(asked);
    expect(await open.swap.execute(await open.swap.order(SELL))).toMatchObject({ status: 'Success' });
    expect(outcomes()).toMatchObject({ filled: 1 });
  });

  it('is not sent to a maker that has drained its inventory, because it would fail', async () => {
    const order = await open.swap.order(SELL);
    fundMaker(open.market, maker.keypair, USDC, 0n);
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Failed', code: -2_004 });
    expect(maker.of('/swap')).toHaveLength(0);
  });

  it('is watched after a restart, and not sent again', async () => {
    const order = await open.swap.order(SELL);
    let late: (() => Promise<unknown>) | null = null;
    maker.onSwap = (asked, response) => {
      late = () => maker.land(asked).then(() => answer(response, 200, {}));
    };
    void open.swap.execute(order).catch(() => {});
    await vi.waitFor(() => expect(late).not.toBeNull());
    const restarted = await openTestSwap({
      market: open.market,
      timers: SYSTEM_TIMERS,
      webhooks: { makers: open.webhooks, records: open.records },
    });
    const resumed = restarted.composed.webhookFills?.resume(restarted.composed.orders);
    await (late as unknown as () => Promise<unknown>)();
    await resumed;
    expect(await restarted.execute(order)).toMatchObject({ status: 'Success' });
    expect(maker.of('/swap')).toHaveLength(1);
  });
});

describe('a webhook maker that signs the message twice, tells one signature and lands the other', () => {
  /** Lands the swap by a signature with another nonce. Returns the one that it tells. */
  async function landAgain({ body }: Asked): Promise<string> {
    const offered = parseTransaction(new Uint8Array(Buffer.from(String(body.transaction), 'base64')));
    await open.market.chain.send(signedAgain(offered, maker.keypair));
    return transactionSignature(parseTransaction(addSignatures(offered, [maker.keypair])));
  }
  const landsTheOther: Answering = async (asked) => {
    const txSignature = await landAgain(asked);
    return { body: { quoteId: asked.body.quoteId, state: 'accepted', txSignature } };
  };
  /** A page of transactions that anybody can have landed, and that name the address. */
  const noise = (page: number) => {
    const slot = open.market.chain.slot('confirmed');
    return Array.from({ length: 10 }, (_, index) => {
      const bytes = new Uint8Array(64).fill(page, 0, 32).fill(1, 32);
      bytes[0] = index;
      return { signature: encodeBase58(bytes), slot };
    });
  };

  it('has filled it, and the taker is told so', async () => {
    maker.onSwap = landsTheOther;
    const order = await open.swap.order(SELL);
    const executed = open.swap.execute(order);
    await vi.waitFor(() => expect(maker.of('/swap')).toHaveLength(1));
    await vi.waitFor(() => expect(open.market.chain.sent).toBe(1));
    expire();
    expect(await executed).toMatchObject({ status: 'Success', totalOutputAmount: order.outAmount });
    expect(outcomes()).toMatchObject({ filled: 1, missed: 0 });
  });

  it('has filled it, though it has buried it under more transactions than a list shows', async () => {
    maker.onSwap = landsTheOther;
    const order = await open.swap.order(SELL);
    const { chain } = open.market;
    const list = chain.signaturesOf.bind(chain);
    const last = noise(9).at(-1)?.signature;
    vi.spyOn(chain, 'signaturesOf').mockImplementation(async (address, range) => {
      if (range.before === undefined) return noise(9);
      const { before, ...rest } = range;
      return list(address, before === last ? rest : range);
    });
    const executed = open.swap.execute(order);
    await vi.waitFor(() => expect(chain.sent).toBe(1));
    expire();
    expect(await executed).toMatchObject({ status: 'Success', totalOutputAmount: order.outAmount });
  });

  it('leaves the outcome unknown as long as the lists cannot be searched, and it is found later', async () => {
    await open.close();
    const timers = new LeapingTimers();
    open = await openWebhookSwap({ timers });
    maker = open.makers[0] as TestWebhook;
    maker.onSwap = landsTheOther;
    const order = await open.swap.order(SELL);
    const { chain } = open.market;
    const list = chain.signaturesOf.bind(chain);
    const lists = vi.spyOn(chain, 'signaturesOf');
    let page = 0;
    lists.mockImplementation(async () => noise(page++ % 250));
    const executed = open.swap.execute(order);
    await vi.waitFor(() => expect(chain.sent).toBe(1));
    expire();
    await vi.waitFor(() => expect(lists).toHaveBeenCalledTimes(25));
    timers.leap(140_000);
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_001 });
    expect(outcomes()).toMatchObject({ filled: 0, missed: 0, excused: 0 });
    lists.mockImplementation((address, { before: _, ...range }) => list(address, range));
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Success' });
    expect(maker.of('/swap')).toHaveLength(1);
  });
});

describe('a taker', () => {
  /** The order with other instructions, signed by the taker. */
  function changed(
    order: OrderResponse,
    change: (instructions: readonly Instruction[]) => readonly Instruction[],
  ) {
    const { message } = parseTransaction(Buffer.from(order.transaction ?? '', 'base64'));
    const instructions = messageInstructions(message, { writable: [], readonly: [] });
    const compiled = compileMessage({
      feePayer: maker.keypair.address,
      blockhash: open.market.chain.recentBlockhash().bytes,
      instructions: change(instructions),
    });
    const signedTransaction = Buffer.from(signTransaction(compiled, [open.swap.wallet])).toString('base64');
    return { signedTransaction, requestId: order.requestId };
  }

  const assertion = (first: number): Instruction => ({
    programAddress: LIGHTHOUSE,
    accounts: [],
    data: Uint8Array.of(first, 0),
  });

  it.each<[string, (all: readonly Instruction[]) => readonly Instruction[], string]>([
    [
      'adds a transfer',
      (all) => [...all, transferLamports(maker.keypair.address, open.swap.wallet.address, 1n)],
      'is not in the order',
    ],
    ['appends a memory write', (all) => [...all, assertion(0)], 'none of the assertions'],
    ['puts an assertion first', (all) => [assertion(5), ...all], 'instruction 0 is of'],
    ['leaves an instruction out', (all) => all.slice(0, 3), 'fewer than'],
    [
      'changes the amounts',
      (all) =>
        all.map((each, index) =>
          index === 3 ? { ...each, data: each.data.map((byte, at) => (at === 8 ? byte ^ 1 : byte)) } : each,
        ),
      'has other data',
    ],
    [
      'sets the limit twice',
      (all) => all.map((each, index) => (index === 1 ? setComputeUnitLimit(1) : each)),
      'something else',
    ],
    [
      'makes the maker pay a huge priority fee',
      (all) => all.map((each, index) => (index === 1 ? setComputeUnitPrice(10n ** 12n) : each)),
      'its priority fee is',
    ],
  ])('that %s is refused, and the maker sees nothing of it', async (_, change, reason) => {
    const order = await open.swap.order(SELL);
    const outcome = await executeSwap(open.swap.composed, changed(order, change));
    expect(outcome).toMatchObject({ kind: 'refused', code: -3 });
    expect(JSON.stringify(outcome, (_key, value) => value as unknown)).toContain(reason);
    expect(maker.of('/swap')).toHaveLength(0);
  });

  it('can swap with a wallet that changes the compute budget and the blockhash', async () => {
    const order = await open.swap.order(SELL);
    const request = changed(order, ([, , ...rest]) => [
      setComputeUnitLimit(400_000),
      setComputeUnitPrice(20_000n),
      ...rest,
    ]);
    expect(await executeSwap(open.swap.composed, request)).toMatchObject({ kind: 'succeeded' });
    // The same order with another message is not executed again.
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Success' });
    expect(maker.of('/swap')).toHaveLength(1);
  });

  it('is refused when it signs too late, and the maker is not sent the swap', async () => {
    const order = await open.swap.order(SELL);
    open.market.network.setUnixTime(BigInt(order.expireAt ?? 0) - 19n);
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Failed', code: -2_003 });
    expect(maker.of('/swap')).toHaveLength(0);
  });

  it('has only as many swaps sent to makers as its funds cover', async () => {
    const held = open.swap.holding(open.swap.wallet.address, SOL.mint);
    const amount = ((held * 6n) / 10n).toString();
    maker.rate = 300_000n;
    const orders = [await open.swap.order({ ...SELL, amount }), await open.swap.order({ ...SELL, amount })];
    maker.onSwap = () => {};
    for (const other of open.makers) other.onSwap = () => {};
    const first = open.swap.execute(orders[0] as OrderResponse);
    const sent = () => open.makers.flatMap((each) => each.of('/swap'));
    await vi.waitFor(() => expect(sent()).toHaveLength(1));
    expect(await open.swap.execute(orders[1] as OrderResponse)).toMatchObject({ code: -2_004 });
    expect(sent()).toHaveLength(1);
    expire();
    await first;
  });

  it('does not harm the maker by moving its funds away after it signed', async () => {
    const order = await open.swap.order(SELL);
    maker.onSwap = ({ body: { quoteId } }) => ({ body: { quoteId, state: 'accepted' } });
    const executed = open.swap.execute(order);
    await vi.waitFor(() => expect(maker.of('/swap')).toHaveLength(1));
    const { network } = open.market;
    const wallet = network.account(open.swap.wallet.address);
    if (wallet === null) throw new Error('the taker has no wallet');
    network.setAccount(open.swap.wallet.address, { ...wallet, lamports: 1_000_000n });
    expire();
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_000 });
    expect(outcomes()).toMatchObject({ missed: 0, excused: 1 });
  });
});
