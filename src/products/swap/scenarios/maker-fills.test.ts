import { describe, expect, it, vi } from 'vitest';
import { createMaker, openMakerSwap, USDC } from '../../../testing/genesis-market/makers.ts';
import {
  listLabels,
  MAKER,
  MAKER_ID,
  openOneMakerSwap,
  SELL,
  streamBook,
} from '../../../testing/genesis-market/one-maker.ts';
import { base64, signing, silent } from '../../../testing/rfq/makers.ts';
import { signedAgain } from '../../../testing/rfq/second-signature.ts';
import { ChainUnavailable, SendRejected } from '../../../chain/chain.ts';
import {
  addSignatures,
  parseTransaction,
  getTransactionSignature,
} from '../../../solana/messages/transaction.ts';
import type { OrderResponse } from '../endpoints/order.ts';
import { openForEach } from '../../../testing/opened.ts';

const { swap, makers, records } = openForEach(openOneMakerSwap);

describe('last look', () => {
  it('ends after ten seconds without a signature: the quote has expired, and the maker has missed the fill', async () => {
    makers.connect(MAKER_ID, silent);
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ status: 'Failed', code: -2003 });
    expect(makers.events).toEqual(['offered', 'missed', 'failed: the maker did not sign within 10 seconds']);
    expect(swap.market.chain.sent).toBe(0);
    const [late] = makers.offered;
    if (late === undefined) throw new Error('nothing was offered');
    expect(makers.submit(MAKER_ID, late.swapUuid, signing(MAKER)(late) ?? '')).toContain('is over');
    expect(await swap.execute(order)).toEqual(answer);
    expect(swap.market.chain.sent).toBe(0);
  });

  it('rejects another message, with a reason', async () => {
    makers.connect(MAKER_ID, ({ transaction }) => {
      const changed = new Uint8Array(transaction);
      // The last byte is data of an instruction or an index, whatever the message.
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      return base64(changed);
    });
    expect(await swap.execute(await swap.order(SELL))).toMatchObject({ status: 'Failed', code: -2004 });
    expect(makers.events.slice(0, 2)).toEqual(['offered', 'tampered']);
    expect(swap.market.chain.sent).toBe(0);
  });

  it('answers an invalid signature or another maker’s swap with a reason, and continues to wait', async () => {
    const stranger = createMaker('two');
    makers.connect(MAKER_ID, (offered) => {
      const { swapUuid, transaction } = offered;
      const good = signing(MAKER)(offered) ?? '';
      const otherTaker = new Uint8Array(Buffer.from(good, 'base64'));
      otherTaker[1] = (otherTaker[1] ?? 0) ^ 1;
      for (const [id, uuid, text] of [
        [MAKER_ID, swapUuid, 'rubbish!'],
        [MAKER_ID, swapUuid, ''],
        [MAKER_ID, swapUuid, base64(transaction.subarray(3))],
        [MAKER_ID, swapUuid, base64(transaction)],
        [MAKER_ID, swapUuid, base64(otherTaker)],
        [`of ${stranger.address}`, swapUuid, good],
        [MAKER_ID, 'another swap', good],
      ] as const) {
        expect(makers.submit(id, uuid, text)).toEqual(expect.any(String));
      }
      return good;
    });
    expect(await swap.execute(await swap.order(SELL))).toMatchObject({ status: 'Success' });
    expect(makers.events.filter((event) => event.startsWith('refused'))).toHaveLength(7);
    const [{ swapUuid } = { swapUuid: '' }] = makers.offered;
    expect(makers.submit(MAKER_ID, swapUuid, 'again')).toContain('is over: it is confirmed');
  });

  it('does not begin with a maker that is away or no longer quotes, nor after the order has expired', async () => {
    const order = await swap.order(SELL);
    makers.disconnect(MAKER_ID);
    expect(await swap.execute(order)).toMatchObject({
      code: -2004,
      error: expect.stringMatching(/not connected/),
    });
    makers.connect(MAKER_ID, signing(MAKER));
    const [late, gone] = [await swap.order(SELL), await swap.order(SELL)];
    makers.withdraw(streamBook(makers));
    expect(await swap.execute(gone)).toMatchObject({
      code: -2003,
      error: expect.stringMatching(/no longer quotes/),
    });
    streamBook(makers);
    swap.market.network.setUnixTime(swap.market.chain.clock().unixTimestamp + 36n);
    expect(await swap.execute(late)).toMatchObject({
      code: -2003,
      error: expect.stringMatching(/had to be executed/),
    });
    expect(makers.events).toEqual([]);
    expect(swap.reservations.reserved(MAKER_ID, USDC.mint)).toBe(0n);
  });

  it('pushes a swap again to a maker that reconnects in time', async () => {
    makers.connect(MAKER_ID, (offered) => {
      if (makers.offered.length > 1) return signing(MAKER)(offered);
      queueMicrotask(() => {
        makers.disconnect(MAKER_ID);
        makers.connect(MAKER_ID, signing(MAKER));
      });
      return null;
    });
    expect(await swap.execute(await swap.order(SELL))).toMatchObject({ status: 'Success' });
    expect(makers.offered.map(({ swapUuid }) => swapUuid)).toEqual(['swap 1', 'swap 1']);
  });

  it('does not promise the same inventory twice', async () => {
    streamBook(makers, { depth: 1_500_000_000n });
    const [first, second] = [await swap.order(SELL), await swap.order(SELL)];
    let during: OrderResponse | undefined;
    makers.connect(MAKER_ID, (offered) => {
      swap.order(SELL).then((order) => {
        during = order;
      });
      return signing(MAKER)(offered);
    });
    const answers = await Promise.all([swap.execute(first), swap.execute(second)]);
    expect(answers.map(({ code }) => code).sort()).toEqual([-2004, 0]);
    expect(listLabels(during as OrderResponse)).not.toEqual(['JupiterRfqV2']);
    expect(makers.offered).toHaveLength(1);
  });
});

describe('a network that refuses the swap', () => {
  it('lets it end at the last block height, with the code of a fill', async () => {
    swap.market.chain.losing = Number.POSITIVE_INFINITY;
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ status: 'Failed', code: -2000, signature: expect.any(String) });
    expect([...records.rows.values()].map(({ state }) => state)).toEqual(['failed']);
    expect(await swap.execute(order)).toEqual(answer);
  });

  it('lets it end at once when the refusal is final', async () => {
    swap.market.chain.send = () => Promise.reject(new SendRejected('no', 'TooManyAccountLocks'));
    expect(await swap.execute(await swap.order(SELL))).toMatchObject({
      code: -2002,
      error: 'the network refuses the transaction: TooManyAccountLocks',
    });
  });
});

describe('a taker that signs its swap twice and lands the other signature', () => {
  it('cannot hide from the maker that its inventory has moved', async () => {
    const { chain } = swap.market;
    const land = chain.send.bind(chain);
    let other: string | undefined;
    // What the maker signed is on its way for everybody to see, and the taker is faster than the gateway.
    chain.send = async (wire) => {
      const signed = parseTransaction(wire);
      other ??= await land(signedAgain(signed, swap.wallet));
      chain.pass(200n);
      return getTransactionSignature(signed);
    };
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ status: 'Success', signature: other, totalOutputAmount: order.outAmount });
    expect(makers.events).toEqual(['offered', 'taken', 'filled', `confirmed ${other}`]);
    expect([...records.rows.values()].map(({ state }) => state)).toEqual(['confirmed']);
    // After a restart the maker is told so again, by the signature that it can look up.
    makers.events.length = 0;
    const { composed } = await openMakerSwap({ makers, records, market: swap.market });
    await composed.makerFills?.resume(composed.orders);
    expect(makers.events).toEqual([`confirmed ${other}`]);
  });
});

describe('a taker and a maker that land the swap by another signature instead of returning it', () => {
  it('does not end as a swap that was never made', async () => {
    let other: string | undefined;
    makers.connect(MAKER_ID, ({ transaction }) => {
      const signed = parseTransaction(addSignatures(parseTransaction(transaction), [MAKER]));
      const landing = swap.market.chain.send(signedAgain(signed, swap.wallet));
      void landing.then((signature) => {
        other = signature;
        swap.market.chain.pass(200n);
      });
      return null;
    });
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ status: 'Success', totalOutputAmount: order.outAmount });
    expect(answer.signature).toBe(other);
  });
});

describe('a swap that the runtime fails on chain, and no program', () => {
  it('has failed for good, and is not called unknown', async () => {
    const { chain } = swap.market;
    const statuses = chain.signatureStatuses.bind(chain);
    const error = { InstructionError: [2, 'InvalidAccountData'] };
    chain.signatureStatuses = async (signatures) =>
      (await statuses(signatures)).map((status) => (status === null ? null : { ...status, error }));
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ status: 'Failed', code: -2002, error: 'InvalidAccountData' });
    const [record] = records.rows.values();
    expect(record?.answer).toMatchObject({ code: -2002 });
    expect(await swap.execute(order)).toEqual(answer);
  });
});

describe('a network that does not answer', () => {
  it('leaves the swap to be settled later, without another request', async () => {
    const { chain } = swap.market;
    const statuses = chain.signatureStatuses.bind(chain);
    chain.signatureStatuses = () => Promise.reject(new ChainUnavailable('silence'));
    const order = await swap.order(SELL);
    expect(await swap.execute(order)).toMatchObject({ code: -2001 });
    expect(swap.reservations.reserved(MAKER_ID, USDC.mint)).toBe(BigInt(order.outAmount));
    chain.signatureStatuses = statuses;
    await vi.waitFor(() => expect(makers.events).toContain('filled'));
    await vi.waitFor(() =>
      expect([...records.rows.values()].map(({ state }) => state)).toEqual(['confirmed']),
    );
    expect(await swap.execute(order)).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
    expect(makers.events.filter((event) => event === 'filled')).toHaveLength(1);
  });
});

describe('a maker that lands the swap itself instead of returning it', () => {
  it('makes the taker and the maker receive what the chain says', async () => {
    makers.connect(MAKER_ID, ({ transaction }) => {
      const signed = addSignatures(parseTransaction(transaction), [MAKER]);
      void swap.market.chain.send(signed);
      return null;
    });
    const order = await swap.order(SELL);
    const answer = await swap.execute(order);
    expect(answer).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
    expect(makers.events.slice(-1)).toEqual([`confirmed ${answer.signature}`]);
    expect([...records.rows.values()].map(({ state }) => state)).toEqual(['confirmed']);
  });
});

describe('a maker that lands the swap itself after its time', () => {
  it('gives the same answer to a repeated request', async () => {
    makers.connect(MAKER_ID, silent);
    const order = await swap.order(SELL);
    const refused = await swap.execute(order);
    expect(refused).toMatchObject({ code: -2003 });
    expect(await swap.execute(order)).toEqual(refused);
    const [offered] = makers.offered;
    if (offered === undefined) throw new Error('nothing was offered');
    await swap.market.chain.send(addSignatures(parseTransaction(offered.transaction), [MAKER]));
    const { signature } = refused;
    expect(await swap.execute(order)).toMatchObject({
      code: 0,
      signature,
      totalOutputAmount: order.outAmount,
    });
    expect(makers.offered).toHaveLength(1);
    expect(makers.events.filter((event) => event === 'missed')).toHaveLength(1);
    expect(makers.events.at(-1)).toBe(`confirmed ${signature}`);
  });
});
