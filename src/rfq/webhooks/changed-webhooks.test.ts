import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Labels, NO_METRICS } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { address } from '../../solana/address.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { MemoryWebhookStore, TestWebhook } from '../../testing/rfq/webhook-maker.ts';
import { createMakerMeters } from '../makers/maker-meters.ts';
import { WEBHOOK_CONDUCT } from './conduct.ts';
import type { WebhookRequest } from './webhook.ts';
import { Webhooks } from './webhooks.ts';

const counted: string[] = [];
let before: TestWebhook;
let after: TestWebhook;
let store: MemoryWebhookStore;
let webhooks: Webhooks;
beforeEach(setUp);
afterEach(tearDown);

describe('a webhook that the operator changes while the maker is asked', () => {
  it('is not quoted from what the one before answers, and is not blamed for it', async () => {
    const { ended, release } = await hold('/quote', () => ask());
    await change({ url: after.url, apiKey: 'new-key' });
    release();
    expect(await ended).toEqual([]);
    await isListed();
    expect(webhooks.find(ID)).toMatchObject({
      status: 'prod',
      calls: { asked: 0, failed: 0, problem: null },
    });
    expect(counted).toEqual(['quote aborted']);
    expect(await ask()).toMatchObject([{ makerId: ID }]);
    expect(after.of('/quote')[0]?.headers['x-api-key']).toBe('new-key');
    expect(before.of('/quote')[0]?.headers['x-api-key']).toBe('old-key');
  });

  it('is told what the one before answers to a swap that it was sent', async () => {
    const { ended, release } = await hold('/swap', () => webhooks.swap(QUOTING, SWAP, never()));
    await change({ url: after.url });
    release();
    expect(await ended).toEqual({ kind: 'rejected', reason: 'no' });
    await isListed();
    expect(after.of('/swap')).toEqual([]);
  });

  it.each([
    ['another webhook', { url: 'http://127.0.0.1:1' }, null],
    ['no right to trade', { enabled: false }, 'the operator disabled the maker maker-0'],
    ['other pairs', { pairs: [{ base: OTHER, quote: USDC }] }, NARROWED],
  ])('is not quoted while others answer, if it has %s now', async (_, changes, refusal) => {
    store.add({ ...store.get(ID), makerId: 'slow', url: after.url });
    await webhooks.refresh();
    await isListed('slow');
    const hold = holdAnswer(after, '/quote');
    const asked = ask();
    await hold.isAsked;
    await vi.waitFor(() => expect(webhooks.find(ID)?.calls.quoted).toBe(1), WAIT);
    await change(changes);
    hold.release();
    expect(await asked).toMatchObject([{ makerId: 'slow' }]);
    expect(webhooks.findRefusal(QUOTING, REQUEST)).toBe(refusal);
  });

  it('is not written the state of the one before', async () => {
    const { save } = store;
    Object.assign(store, {
      save: async (...args: Parameters<typeof save>) => {
        await change({ url: after.url });
        return save(...args);
      },
    });
    await webhooks.note(ID, { kind: 'missed', requestId: 'a' });
    expect(webhooks.find(ID)).toMatchObject({ record: { url: after.url }, status: 'suspended' });
  });
});

describe('a webhook maker that the operator removes', () => {
  it('is sent nothing more, and what it did is kept nowhere', async () => {
    const { ended, release } = await hold('/quote', () => ask());
    await remove();
    release();
    expect(await ended).toEqual([]);
    await webhooks.note(ID, { kind: 'missed', requestId: 'a' });
    expect([webhooks.all(), store.entries.size]).toEqual([[], 0]);
    expect(webhooks.findRefusal(QUOTING, REQUEST)).toBe(
      'the operator removed the maker maker-0, or its webhook',
    );
    expect(await webhooks.swap(QUOTING, SWAP, never())).toMatchObject({ kind: 'unanswered' });
  });

  it('is not confused with another one that is added under its id', async () => {
    await change({ address: OTHER });
    expect(webhooks.findRefusal(QUOTING, REQUEST)).toBe(
      'the operator removed the maker maker-0, and registered another one under its id',
    );
    expect(await webhooks.swap(QUOTING, SWAP, never())).toMatchObject({ kind: 'unanswered' });
    await webhooks.note(ID, { kind: 'missed', requestId: 'a' }, WALLET.address);
    expect(webhooks.find(ID)).toMatchObject({ status: 'prod', state: { missed: 0 } });
    expect(before.of('/swap')).toEqual([]);
  });

  it('starts from nothing when it is added again, also if no refresh showed that it was gone', async () => {
    await webhooks.note(ID, { kind: 'missed', requestId: 'a' });
    const { record } = webhooks.find(ID) ?? {};
    if (record === undefined) throw new Error('the maker is gone');
    store.add(record, 1_000);
    await webhooks.refresh();
    expect(webhooks.find(ID)).toMatchObject({ status: 'prod', state: { missed: 0 } });
    await webhooks.note(ID, { kind: 'filled', requestId: 'b' });
    expect(store.entries.get(ID)).toMatchObject({ version: 1_001, state: { filled: 1, missed: 0 } });
  });
});

const ID = 'maker-0';
const WALLET = createKeypairFromSeed(new Uint8Array(32).fill(81));
const QUOTING = { makerId: ID, maker: WALLET.address };
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const OTHER = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const NARROWED = `the operator no longer allows the maker ${ID} to swap ${WRAPPED_SOL_MINT} for ${USDC}`;
const WAIT = { interval: 20 };
const SWAP = { requestId: 'request', quoteId: 'quote', wire: new Uint8Array(1) };
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
const never = () => new AbortController().signal;
const ask = () => webhooks.ask(REQUEST, { caller: { kind: 'organisation', id: 'one' } }, never());

async function setUp(): Promise<void> {
  const send = () => Promise.reject(new Error('nothing is landed here'));
  const terms = { keypair: WALLET, tokens: [WRAPPED_SOL_MINT, USDC], rate: 400_000n, chain: { send } };
  [before, after] = [await TestWebhook.open(terms), await TestWebhook.open(terms)];
  for (const maker of [before, after])
    maker.onSwap = ({ body: { quoteId } }) => ({
      body: { quoteId, state: 'rejected', rejectionReason: 'no' },
    });
  counted.length = 0;
  store = new MemoryWebhookStore();
  const { url } = before;
  store.add({ makerId: ID, address: WALLET.address, url, apiKey: 'old-key', pairs: null, enabled: true });
  webhooks = new Webhooks({
    store,
    timers: SYSTEM_TIMERS,
    policy: WEBHOOK_CONDUCT,
    quoteMs: 60_000,
    allowsPrivate: true,
    metrics: NO_METRICS,
    meters: { ...createMakerMeters(NO_METRICS), calls: { bind: () => () => {}, add: countQuote } },
    onDefect: (where, error) => {
      throw new Error(where, { cause: error });
    },
  });
  await webhooks.refresh();
  await isListed();
}

async function tearDown(): Promise<void> {
  for (const each of [webhooks, before, after]) await each?.close();
}

function isListed(id = ID): Promise<void> {
  return vi.waitFor(() => expect(webhooks.find(id)?.mints).toBe(2), WAIT);
}

function countQuote({ call, outcome }: Labels = {}): void {
  if (call === 'quote') counted.push(`${call} ${outcome}`);
}

/** As the operator changes the database, before the refresh. */
async function change(changes: Parameters<MemoryWebhookStore['change']>[1]): Promise<void> {
  store.change(ID, changes);
  await webhooks.refresh();
}

async function remove(): Promise<void> {
  store.entries.delete(ID);
  await webhooks.refresh();
}

/** Makes a call whose answer the maker holds back until `release`. Resolves once the maker has the call. */
async function hold<T>(path: '/quote' | '/swap', call: () => Promise<T>) {
  const { isAsked, release } = holdAnswer(before, path);
  const ended = call();
  await isAsked;
  return { ended, release };
}

function holdAnswer(maker: TestWebhook, path: '/quote' | '/swap') {
  const handler = path === '/quote' ? 'onQuote' : 'onSwap';
  const answer = maker[handler];
  let release: () => void = () => {};
  let reach: () => void = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isAsked = new Promise<void>((resolve) => {
    reach = resolve;
  });
  maker[handler] = async (...args: Parameters<typeof answer>) => {
    reach();
    await isReleased;
    return answer(...args);
  };
  return { isAsked, release };
}
