import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fundMaker, getMakerBalance, SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import { openTestSwap } from '../../../testing/genesis-market/swap.ts';
import {
  expireFill,
  HELD,
  judgeFill,
  openWebhookRivals,
  openWebhookSwap,
  type TestWebhookSwap,
} from '../../../testing/genesis-market/webhooks.ts';
import { ManualTimers } from '../../../testing/timers.ts';
import { type Answering, answer, type TestWebhook } from '../../../testing/rfq/webhook-maker.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';

let open: TestWebhookSwap;
let maker: TestWebhook;
beforeEach(setUp);
afterEach(() => open.close());

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
      reason: { askedMakersOnly: true },
    });
    await expect(open.swap.order({ ...asked, webhookId: 'nobody' })).rejects.toMatchObject({
      reason: { askedMakersOnly: true },
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
    // Shortly before the expiry the swap could still be made, so it is the maker's fault that it was not.
    await judgeFill(open);
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
    expect(getMakerBalance(open.market, maker.keypair, SOL) - HELD).toBe(1_000_000_000n);
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

const SELL = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000000' };

async function setUp(): Promise<void> {
  open = await openWebhookRivals();
  maker = open.makers[0] as TestWebhook;
}

const outcomes = () => open.webhooks.find('maker-0')?.state;

const expire = () => expireFill(open);
