import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import {
  expireFill,
  openWebhookRivals,
  openWebhookSwap,
  type TestWebhookSwap,
} from '../../../testing/genesis-market/webhooks.ts';
import { signedAgain } from '../../../testing/rfq/second-signature.ts';
import { LeapingTimers } from '../../../testing/timers.ts';
import type { Answering, WebhookMakerRequest, TestWebhook } from '../../../testing/rfq/webhook-maker.ts';
import { encodeBase58 } from '../../../solana/encoding/base58.ts';
import {
  addSignatures,
  parseTransaction,
  getTransactionSignature,
} from '../../../solana/messages/transaction.ts';

let open: TestWebhookSwap;
let maker: TestWebhook;
beforeEach(setUp);
afterEach(() => open.close());

describe('a webhook maker that signs the message twice, tells one signature and lands the other', () => {
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
    await vi.waitFor(() => expect(lists.mock.calls.length).toBeGreaterThanOrEqual(25));
    timers.leap(140_000);
    expect(await executed).toMatchObject({ status: 'Failed', code: -2_001 });
    expect(outcomes()).toMatchObject({ filled: 0, missed: 0, excused: 0 });
    lists.mockImplementation((address, { before: _, ...range }) => list(address, range));
    expect(await open.swap.execute(order)).toMatchObject({ status: 'Success' });
    expect(maker.of('/swap')).toHaveLength(1);
  });

  /** Lands the swap by a signature with another nonce. Returns the one that it tells. */
  async function landAgain({ body }: WebhookMakerRequest): Promise<string> {
    const offered = parseTransaction(new Uint8Array(Buffer.from(String(body.transaction), 'base64')));
    await open.market.chain.send(signedAgain(offered, maker.keypair));
    return getTransactionSignature(parseTransaction(addSignatures(offered, [maker.keypair])));
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
});

const SELL = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000000' };

async function setUp(): Promise<void> {
  open = await openWebhookRivals();
  maker = open.makers[0] as TestWebhook;
}

const outcomes = () => open.webhooks.find('maker-0')?.state;

const expire = () => expireFill(open);
