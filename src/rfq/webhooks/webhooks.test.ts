import { afterEach, describe, expect, it, vi } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { MemoryWebhookStore, TestWebhook } from '../../testing/rfq/webhook-maker.ts';
import { NO_METRICS } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { type Address, address } from '../../solana/address.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createMakerMeters } from '../makers/maker-meters.ts';
import { WEBHOOK_CONDUCT } from './conduct.ts';
import type { LookupHost } from './outgoing-address.ts';
import type { WebhookRequest } from './webhook.ts';
import { Webhooks } from './webhooks.ts';

afterEach(tearDown);

describe('a question to many makers', () => {
  it('adds one listener to the signal of its order, however many are asked, and removes it', async () => {
    const { webhooks } = await openListed({ count: 20 });
    const signal = never();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    expect(await webhooks.ask(REQUEST, { caller: { kind: 'organisation', id: 'one' } }, signal)).toHaveLength(
      20,
    );
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  });

  it('ends with its order, and holds nothing against makers that were about to answer', async () => {
    const { webhooks, makers } = await openListed({ count: 2 });
    const [slow] = makers as [TestWebhook, TestWebhook];
    slow.onQuote = () => {};
    const order = new AbortController();
    const asked = webhooks.ask(REQUEST, { caller: { kind: 'organisation', id: 'one' } }, order.signal);
    await vi.waitFor(() => expect(slow.of('/quote')).toHaveLength(1), WAIT);
    await vi.waitFor(() => expect(webhooks.find('maker-1')?.calls.quoted).toBe(1), WAIT);
    order.abort();
    expect(await asked).toHaveLength(1);
    expect(webhooks.find('maker-0')?.calls).toMatchObject({
      asked: 1,
      failed: 0,
      problem: null,
      restsUntil: null,
    });
  });
});

describe('a caller that floods makers with orders', () => {
  it('has no more questions with many addresses than all callers without a key have together', async () => {
    const { webhooks, makers } = await openListed({ count: 2 });
    const [hanging] = makers as [TestWebhook, TestWebhook];
    hanging.onQuote = () => {};
    const orders = Array.from({ length: 200 }, () => new AbortController());
    const flood = orders.map(({ signal }, index) =>
      webhooks.ask(REQUEST, { caller: { kind: 'client', id: `203.0.113.${index}` } }, signal),
    );
    const refused = (await Promise.all(flood.slice(28))).filter((answer) => answer === 'crowded');
    expect(refused).toHaveLength(172);
    const other = new AbortController();
    const organisation = { caller: { kind: 'organisation', id: 'calm' }, only: 'maker-1' } as const;
    const calm = webhooks.ask(REQUEST, organisation, other.signal);
    for (const order of orders) order.abort();
    expect(await calm).toHaveLength(1);
    await Promise.all(flood);
  });

  it('has at most half of the questions, so that others are quoted while its own wait', async () => {
    const { webhooks, makers } = await openListed({ count: 2 });
    const [hanging] = makers as [TestWebhook, TestWebhook];
    hanging.onQuote = () => {};
    const orders = Array.from({ length: 200 }, () => new AbortController());
    const flood = orders.map(({ signal }) =>
      webhooks.ask(REQUEST, { caller: { kind: 'organisation', id: 'flood' } }, signal),
    );
    const refused = (await Promise.all(flood.slice(28))).filter((answer) => answer === 'crowded');
    expect(refused).toHaveLength(172);
    const other = new AbortController();
    const calm = webhooks.ask(
      REQUEST,
      { caller: { kind: 'organisation', id: 'calm' }, only: 'maker-1' },
      other.signal,
    );
    expect(await calm).toHaveLength(1);
    for (const order of orders) order.abort();
    expect((await Promise.all(flood.slice(0, 28))).filter((answer) => answer === 'crowded')).toEqual([]);
    expect(
      await webhooks.ask(
        REQUEST,
        { caller: { kind: 'organisation', id: 'flood' }, only: 'maker-1' },
        never(),
      ),
    ).toHaveLength(1);
  });
});

describe('a maker that fails', () => {
  it('is shown with what it did, and is left alone for as long as one failure more lasts', async () => {
    const { webhooks, makers, clock } = await openListed();
    const [maker] = makers as [TestWebhook];
    clock.advance(1_000);
    await webhooks.ask(REQUEST, { caller: { kind: 'organisation', id: 'one' } }, never());
    const answeredAt = clock.now();
    maker.onQuote = () => ({ status: 404, body: { message: 'no' } });
    await webhooks.ask(REQUEST, { caller: { kind: 'organisation', id: 'one' } }, never());
    maker.onQuote = () => {
      clock.advance(1);
      return { status: 500, body: { message: 'no' } };
    };
    // All of them are in flight at once, so that those after the third tell nothing new.
    await Promise.all(
      Array.from({ length: 20 }, () =>
        webhooks.ask(REQUEST, { caller: { kind: 'organisation', id: 'one' } }, never()),
      ),
    );
    expect(webhooks.find('maker-0')?.calls).toEqual({
      asked: 22,
      quoted: 1,
      declined: 1,
      failed: 20,
      lastAnswerAt: answeredAt,
      problem: 'the answer has the status 500',
      restsUntil: expect.any(Number) as number,
    });
  });
});

describe('a webhook whose name leads to a private address', () => {
  it('gets no connection where private addresses are not allowed', async () => {
    let asked = 0;
    const lookup: LookupHost = (_hostname, _options, callback) => {
      asked++;
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const { webhooks, makers } = await open({ allowsPrivate: false, lookup, host: 'maker.example' });
    await vi.waitFor(() => expect(asked).toBeGreaterThan(0), WAIT);
    expect(await webhooks.ask(REQUEST, { caller: { kind: 'organisation', id: 'one' } }, never())).toEqual([]);
    const swap = { requestId: 'request', quoteId: 'quote', wire: new Uint8Array(1) };
    const maker = webhooks.find('maker-0')?.record.address as Address;
    expect(await webhooks.swap({ makerId: 'maker-0', maker }, swap, never())).toEqual({
      kind: 'unanswered',
      problem: 'maker.example leads to the private address 127.0.0.1',
    });
    expect(makers[0]?.connections).toBe(0);
  });

  it('is asked where they are allowed, and its name is resolved once for a connection', async () => {
    let asked = 0;
    const lookup: LookupHost = (_hostname, { all }, callback) => {
      asked++;
      if (all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    };
    const { webhooks, makers } = await openListed({ lookup, host: 'maker.example' });
    for (let times = 0; times < 3; times++)
      expect(
        await webhooks.ask(REQUEST, { caller: { kind: 'organisation', id: 'one' } }, never()),
      ).toHaveLength(1);
    // One connection for the list of tokens, and at least one for the questions.
    expect(asked).toBeGreaterThanOrEqual(2);
    expect(makers[0]?.connections).toBe(asked);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const REQUEST: WebhookRequest = {
  requestId: 'request',
  quoteId: 'quote',
  tokenIn: WRAPPED_SOL_MINT,
  tokenOut: USDC,
  amount: 1_000_000n,
  quoteType: 'exactIn',
  feeBps: 0,
  taker: null,
  receiver: null,
  suggestedPrice: null,
};
const WAIT = { interval: 20 };

const opened: { close(): Promise<void> }[] = [];

async function tearDown(): Promise<void> {
  for (const each of opened.splice(0)) await each.close();
}

interface OpenOptions {
  readonly count?: number;
  readonly quoteMs?: number;
  readonly allowsPrivate?: boolean;
  readonly lookup?: LookupHost;
  /** Replaces the host of the makers' URLs. */
  readonly host?: string;
}

async function open(options: OpenOptions = {}) {
  const { count = 1, quoteMs = 60_000, allowsPrivate = true, lookup, host = '127.0.0.1' } = options;
  const store = new MemoryWebhookStore();
  const clock = new ManualTimers();
  const makers: TestWebhook[] = [];
  for (let index = 0; index < count; index++) {
    const keypair = createKeypairFromSeed(sha256(Buffer.from(`asked ${index}`)));
    const send = () => Promise.reject(new Error('nothing is landed here'));
    const tokens = [WRAPPED_SOL_MINT, USDC];
    const maker = await TestWebhook.open({ keypair, tokens, rate: 400_000n, chain: { send } });
    makers.push(maker);
    const makerId = `maker-${index}`;
    const url = maker.url.replace('127.0.0.1', host);
    store.add({ makerId, address: keypair.address, url, apiKey: null, pairs: null, enabled: true });
  }
  const webhooks = new Webhooks({
    store,
    timers: { now: () => clock.now(), after: SYSTEM_TIMERS.after },
    policy: WEBHOOK_CONDUCT,
    quoteMs,
    allowsPrivate,
    ...(lookup === undefined ? {} : { lookup }),
    metrics: NO_METRICS,
    meters: createMakerMeters(NO_METRICS),
    onDefect: (where, error) => {
      throw new Error(where, { cause: error });
    },
  });
  opened.push(webhooks, ...makers);
  await webhooks.refresh();
  return { webhooks, makers, clock };
}

async function openListed(options: OpenOptions = {}) {
  const world = await open(options);
  await vi.waitFor(() => expect(world.webhooks.all().every(({ mints }) => mints !== null)).toBe(true), WAIT);
  return world;
}

const never = () => new AbortController().signal;
