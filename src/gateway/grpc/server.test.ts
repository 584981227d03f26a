import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestAddress, makerRecord, USDC } from '../../testing/rfq/test-rfq.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { CallBudget } from './ingestion/call-budget.ts';
import { PAIR, quoteAt, createSwapMessage, type TestMaker } from '../../testing/gateway/grpc-client.ts';
import { Cluster, type MarketMakerQuote, SwapMessageType, UpdateType } from './generated/market_maker_pb.js';
import { MAX_UNREAD } from './wire/outgoing.ts';
import { startTestServer } from '../../testing/gateway/grpc-server.ts';
import { openForEach } from '../../testing/opened.ts';

const test = openForEach(startTestServer);
afterEach(tearDown);

describe('StreamQuotes', () => {
  it('sends its headers before the first message of the client', async () => {
    const maker = test.connect();
    await maker.quotes().headers;
    await maker.swaps().headers;
  });

  it('adds a quote to the market and acknowledges it', async () => {
    const { quotes } = await live(test.connect());
    quotes.call.write(quote());
    expect((await quotes.until(1))[0]).toMatchObject({ updateType: UpdateType.UPDATED });
    const [book] = test.rfq.ownBooks.between(USDC, WRAPPED_SOL_MINT, test.timers.now());
    expect(book).toMatchObject({
      makerId: 'maker-1',
      bids: [{ price: 99_000_000n, volume: 1_000_000_000n }],
      asks: [{ price: 101_000_000n, volume: 1_000_000_000n }],
    });
  });

  it('can be opened before the swap stream, and refuses quotes until that is live', async () => {
    const maker = test.connect();
    const quotes = maker.quotes();
    quotes.call.write(quote());
    expect((await quotes.until(1))[0]).toMatchObject({
      updateType: UpdateType.REJECTED,
      statusMessage: 'no swap stream is live: the status is offline until StreamSwap is open',
    });
    await maker.swaps().until(1);
    quotes.call.write(quote());
    expect((await quotes.until(2))[1]).toMatchObject({ updateType: UpdateType.UPDATED });
  });

  it('answers every snapshot once and in order, even while the first waits for balances', async () => {
    const { quotes } = await live(test.connect());
    const sequence = [1n, 2n, 2n, 4n, 3n, 5n, 5n, 6n];
    for (const sequenceNumber of sequence) quotes.call.write(quote({ sequenceNumber }));
    const got = await quotes.until(sequence.length);
    expect(got.map(({ updateType }) => updateType === UpdateType.UPDATED)).toEqual([
      ...[true, true, false, true, false, true, false, true],
    ]);
    const reads = test.chain.reads;
    quotes.call.write(quote({ sequenceNumber: 7n }));
    await quotes.until(sequence.length + 1);
    expect(test.chain.reads).toBe(reads);
  });

  it('ends when the client ends it, and its book stays until it expires', async () => {
    const { quotes } = await live(test.connect());
    quotes.call.write(quote());
    quotes.call.end();
    expect(await quotes.ended).toMatchObject({ code: status.OK });
    expect(quotes.got).toHaveLength(1);
    const now = test.timers.now();
    expect([...test.rfq.ownBooks.all(now)]).toHaveLength(1);
    expect([...test.rfq.ownBooks.all(now + 60_000)]).toHaveLength(0);
  });

  it('is replaced by a second stream of the same maker', async () => {
    const maker = test.connect();
    const { quotes } = await live(maker);
    await quotes.headers;
    const second = maker.quotes();
    expect(await quotes.ended).toMatchObject({
      code: status.ABORTED,
      details: 'another quote stream of the same maker took the place of this one',
    });
    second.call.write(quote());
    expect((await second.until(1))[0]).toMatchObject({ updateType: UpdateType.UPDATED });
  });

  it('ends with the reason if the client does not read its acks', async () => {
    const maker = test.connect();
    const { quotes } = await live(maker);
    await quotes.headers;
    quotes.call.pause();
    const refused = quote({ makerId: 'x'.repeat(90) });
    // The acks fill the transport's buffers for the client, and then reach the bound.
    for (let i = 0; i < MAX_UNREAD * 4; i++) quotes.call.write(refused);
    await new Promise((resolve) => quotes.call.write(refused, resolve));
    quotes.call.resume();
    expect(await quotes.ended).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details: expect.stringContaining(`more than ${MAX_UNREAD} messages of this stream are unread`),
    });
  });
});

it('refuses a maker that opens quote streams too often', async () => {
  const maker = test.connect();
  for (let opened = 0; opened < 60; opened++) await maker.quotes().headers;
  expect(await maker.quotes().ended).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  test.timers.advance(60_000);
  const { quotes } = await live(maker);
  quotes.call.write(quote());
  await quotes.until(1);
});

describe('StreamSwap', () => {
  it('removes the books from the market when it drops, and accepts quotes again when it is back', async () => {
    const maker = test.connect();
    const { swaps, quotes } = await live(maker);
    quotes.call.write(quote());
    await quotes.until(1);
    const left = new Promise<void>((resolve) =>
      test.rfq.ownBooks.watch((_makerId, book) => {
        if (book === null) resolve();
      }),
    );
    swaps.call.cancel();
    await left;
    expect(test.rfq.ownBooks.between(USDC, WRAPPED_SOL_MINT, test.timers.now())).toEqual([]);
    await maker.swaps().until(1);
    quotes.call.write(quote({ sequenceNumber: 2n }));
    expect((await quotes.until(2))[1]).toMatchObject({ updateType: UpdateType.UPDATED });
  });

  it('answers PING with PONG and refuses messages that only the service sends', async () => {
    const { swaps } = await live(test.connect());
    swaps.call.write(createSwapMessage(SwapMessageType.PING));
    swaps.call.write(createSwapMessage(SwapMessageType.PONG));
    swaps.call.write(createSwapMessage(SwapMessageType.SWAP_AVAILABLE, 'a'));
    const got = await swaps.until(3);
    expect(got[1]).toMatchObject({ messageType: SwapMessageType.PONG });
    expect(got[2]).toMatchObject({ messageType: SwapMessageType.ERROR, swapUuid: 'a' });
  });

  it('carries offers, submissions and results', async () => {
    const submitted: unknown[] = [];
    const transaction = Uint8Array.of(1, 2, 3);
    const offer = { swapUuid: 'u-1', makerId: 'maker-1', transaction };
    test.rfq.swapStreams.watch('maker-1', {
      submitted: (swap) => {
        submitted.push(swap);
        return swap.swapUuid === 'u-1' ? null : `there is no swap ${swap.swapUuid}`;
      },
      pending: () => [offer],
      knows: () => true,
    });
    expect(test.rfq.link.offer(offer)).toBe(false);
    const { swaps } = await live(test.connect());
    expect((await swaps.until(2))[1]).toMatchObject({
      messageType: SwapMessageType.SWAP_AVAILABLE,
      swapUuid: 'u-1',
      unsignedTransaction: 'AQID',
    });
    expect(test.rfq.link.offer(offer)).toBe(true);
    swaps.call.write(createSwapMessage(SwapMessageType.SWAP_SUBMIT, 'u-1', 'AQIE'));
    swaps.call.write(createSwapMessage(SwapMessageType.SWAP_SUBMIT, 'u-2', 'AQIE'));
    expect((await swaps.until(4))[3]).toMatchObject({
      messageType: SwapMessageType.ERROR,
      swapUuid: 'u-2',
      statusMessage: 'there is no swap u-2',
    });
    expect(submitted).toEqual([
      { makerId: 'maker-1', swapUuid: 'u-1', signedTransaction: 'AQIE' },
      { makerId: 'maker-1', swapUuid: 'u-2', signedTransaction: 'AQIE' },
    ]);
    test.rfq.link.confirmed('maker-1', 'u-1', 'sig');
    test.rfq.link.failed('maker-1', 'u-1', 'too late');
    expect((await swaps.until(6)).slice(4)).toMatchObject([
      { messageType: SwapMessageType.TRANSACTION_CONFIRMED, swapUuid: 'u-1', transactionSignature: 'sig' },
      { messageType: SwapMessageType.ERROR, swapUuid: 'u-1', statusMessage: 'too late' },
    ]);
  });

  it('is replaced by a second stream while the maker stays in the market', async () => {
    const maker = test.connect();
    const { swaps, quotes } = await live(maker);
    quotes.call.write(quote());
    await quotes.until(1);
    const second = maker.swaps();
    expect(await swaps.ended).toMatchObject({ code: status.ABORTED });
    await second.until(1);
    expect([...test.rfq.ownBooks.all(test.timers.now())]).toHaveLength(1);
    expect(test.rfq.makers.get('maker-1')?.status).toBe('prod');
  });

  it('cannot be opened too often', async () => {
    const maker = test.connect();
    for (let i = 0; i < 60; i++) await maker.swaps().until(1);
    expect(await maker.swaps().ended).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    test.timers.advance(60_000);
    await maker.swaps().until(1);
  });
});

describe('the unary methods', () => {
  it('are limited for each maker, and share reads of the database', async () => {
    const request = { makerId: 'maker-1', authToken: '' };
    let reads = 0;
    const { read } = test.store;
    Object.assign(test.store, {
      read: (makerId: string) => {
        reads++;
        return new Promise((resolve) => setImmediate(resolve)).then(() => read(makerId));
      },
    });
    const maker = test.connect();
    const codes = await Promise.all(
      Array.from({ length: 500 }, () =>
        maker.unary('getLastSequenceNumber', request).then(
          () => status.OK,
          ({ code }: { code: status }) => code,
        ),
      ),
    );
    expect(codes.filter((code) => code === status.OK)).toHaveLength(100);
    expect(codes.filter((code) => code === status.RESOURCE_EXHAUSTED)).toHaveLength(400);
    expect(reads).toBeLessThanOrEqual(50);
    const refused = maker.unary('getAllOrderbooks', {});
    await expect(refused).rejects.toThrow('10 calls per second, 100 at once');
    // Other makers do not wait for it, and this maker only briefly.
    test.rfq.setRecords([makerRecord(test.chain, 2)]);
    await test.connect('key-2').unary('getLastSequenceNumber', { ...request, makerId: 'maker-2' });
    test.timers.advance(1_000);
    await maker.unary('getLastSequenceNumber', request);
  });

  it('count as one call for each hundred books in the answer', async () => {
    const budget = new CallBudget(() => test.timers.now());
    budget.charge('maker-1', 100_000);
    for (let call = 0; call < 50; call++) expect(budget.take('maker-1')).toBeNull();
    expect(budget.take('maker-1')).toContain('wait 1 s');
  });

  it('return the last sequence number, the books and the quotes of a pair', async () => {
    const maker = test.connect();
    const request = { makerId: 'maker-1', authToken: '' };
    expect(await maker.unary('getLastSequenceNumber', request)).toMatchObject({
      success: true,
      lastSequenceNumber: 0n,
    });
    const { quotes } = await live(maker);
    const sequenceNumber = (1n << 64n) - 1n;
    quotes.call.write(quote({ sequenceNumber }));
    await quotes.until(1);
    expect(await maker.unary('getLastSequenceNumber', request)).toMatchObject({
      lastSequenceNumber: sequenceNumber,
    });
    const micros = BigInt(test.timers.now()) * 1_000n;
    const all = await maker.unary('getAllOrderbooks', {});
    expect(all).toMatchObject({
      timestamp: micros,
      orderbooks: [
        {
          tokenPair: PAIR,
          bidLevels: [{ price: 99_000_000n, volume: 1_000_000_000n }],
          lastUpdated: micros,
          makerAddress: createTestAddress(1),
          expiryTime: micros + 60_000_000n,
          lotSizeBase: 1_000n,
        },
      ],
    });
    expect((await maker.unary('getAllOrderbooks', { cluster: Cluster.DEVNET })).orderbooks).toEqual([]);
    const of = (tokenPair: typeof PAIR) => maker.unary('getQuotes', { tokenPair, authToken: '' });
    expect((await of(PAIR)).quotes).toMatchObject([{ sequenceNumber, makerId: 'maker-1', tokenPair: PAIR }]);
    expect((await of({ baseToken: PAIR.quoteToken, quoteToken: PAIR.baseToken })).quotes).toEqual([]);
  });

  it('accept the key in the body instead of the metadata', async () => {
    const maker = test.connect(null);
    const request = { makerId: 'maker-1', authToken: 'key-1' };
    expect(await maker.unary('getLastSequenceNumber', request)).toMatchObject({ success: true });
  });

  it.each([
    [null, '', 'maker-1', status.UNAUTHENTICATED, 'the key of a maker is needed in the metadata x-api-key'],
    [null, 'key-9', 'maker-1', status.UNAUTHENTICATED, 'the key in x-api-key is of no maker'],
    ['key-9', 'key-1', 'maker-1', status.UNAUTHENTICATED, 'the key in x-api-key is of no maker'],
    [
      'key-1',
      '',
      'other',
      status.PERMISSION_DENIED,
      'maker_id must be that of the key, maker-1, got "other"',
    ],
    ['key-2', '', 'maker-2', status.PERMISSION_DENIED, 'the operator disabled the maker maker-2'],
  ])('refuse the key %s with %s for %s', async (key, authToken, makerId, code, details) => {
    test.rfq.setRecords([makerRecord(test.chain, 2, { enabled: false })]);
    const maker = test.connect(key);
    await expect(maker.unary('getLastSequenceNumber', { makerId, authToken })).rejects.toMatchObject({
      code,
      details,
    });
  });
});

describe('the credentials of a stream', () => {
  it('are required', async () => {
    for (const key of [null, 'key-9']) {
      const maker = test.connect(key);
      expect(await maker.quotes().ended).toMatchObject({ code: status.UNAUTHENTICATED });
      expect(await maker.swaps().ended).toMatchObject({ code: status.UNAUTHENTICATED });
    }
  });

  it('end the stream when the maker is disabled', async () => {
    const { swaps, quotes } = await live(test.connect());
    await quotes.headers;
    test.rfq.setRecords([makerRecord(test.chain, 1, { enabled: false })]);
    for (const stream of [swaps, quotes]) {
      expect(await stream.ended).toMatchObject({
        code: status.PERMISSION_DENIED,
        details: 'the operator disabled the maker maker-1',
      });
    }
  });
});

it('notifies makers of the shutdown before it closes', async () => {
  const { swaps, quotes } = await live(test.connect());
  await quotes.headers;
  await test.close();
  for (const stream of [swaps, quotes]) {
    expect(await stream.ended).toMatchObject({ code: status.UNAVAILABLE });
  }
});

async function tearDown(): Promise<void> {
  await test.close();
  expect(test.defects).toEqual([]);
}

function quote(overrides: Parameters<typeof quoteAt>[2] = {}): MarketMakerQuote {
  return quoteAt(test.timers.now(), createTestAddress(1), overrides);
}

async function live(maker: TestMaker) {
  const swaps = maker.swaps();
  await swaps.until(1);
  return { swaps, quotes: maker.quotes() };
}
