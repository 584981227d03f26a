import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { createTestDesk } from '../../testing/rfq/test-desk.ts';
import { createTestAddress, makerRecord, openTestRfq, snapshot, USDC } from '../../testing/rfq/test-rfq.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { Snapshot } from '../books/snapshot.ts';

const test = openForEach(() => openTestRfq());

describe('MakerDesk.findBooks', () => {
  it('shows the levels of a maker, and what swaps under way leave of them', async () => {
    const volume = 10n ** 9n;
    await stream({ asks: [101_000_000n, 102_000_000n].map((price) => ({ price, volume })) });
    const claim = { makerId: 'maker-1', base: WRAPPED_SOL_MINT, quote: USDC, mint: WRAPPED_SOL_MINT };
    expect(test.rfq.reservations.reserve({ ...claim, swapUuid: 'one', amount: volume + 7n })).toBeNull();
    test.timers.advance(250);
    const books = await createTestDesk(test).findBooks('maker-1');
    expect(books).toMatchObject({ total: 1, at: test.timers.now(), lastProblem: null });
    expect(books?.ladders).toMatchObject([
      {
        base: { mint: WRAPPED_SOL_MINT, decimals: 9, symbol: 'SOL' },
        quote: { mint: USDC, decimals: 6, symbol: 'USDC' },
        bids: [{ price: 99_000_000n, volume, free: volume }],
        asks: [
          { price: 101_000_000n, volume, free: 0n },
          { price: 102_000_000n, volume, free: volume - 7n },
        ],
        reserved: { base: volume + 7n, quote: 0n },
        sequence: 1n,
        isCrossed: false,
      },
    ]);
    expect(books?.ladders[0]?.receivedAt).toBe(test.timers.now() - 250);
  });

  it('shows of a maker no book of another one', async () => {
    const other = makerRecord(test.chain, 2);
    test.rfq.setRecords([makerRecord(test.chain), other]);
    await stream({});
    expect(await createTestDesk(test).findBooks('maker-2')).toMatchObject({
      total: 0,
      ladders: [],
      notUsed: 'its swap stream is not connected',
    });
    expect(await createTestDesk(test).findBooks('maker-3')).toBeNull();
  });

  it('says why nothing of it is used: the clock, or swaps that reserve all of it', async () => {
    await stream({ bids: [] });
    const apart = { findObstacle: () => 'fills cannot be recorded now' };
    expect(await createTestDesk(test, { liquidity: apart }).findBooks('maker-1')).toMatchObject({
      notUsed: 'fills cannot be recorded now',
      ladders: [{ notUsed: 'fills cannot be recorded now' }],
    });
    const claim = { makerId: 'maker-1', base: WRAPPED_SOL_MINT, quote: USDC, mint: WRAPPED_SOL_MINT };
    test.rfq.reservations.reserve({ ...claim, swapUuid: 'one', amount: 10n ** 9n });
    const sound = { findObstacle: () => null };
    expect(await createTestDesk(test, { liquidity: sound }).findBooks('maker-1')).toMatchObject({
      notUsed: null,
      ladders: [{ notUsed: 'swaps under way reserve all of it' }],
    });
  });

  it('shows at most five levels of a side, and none of a book with 10,000 levels', async () => {
    const levels = (count: number) =>
      Array.from({ length: count }, (_, place) => ({ price: 101_000_000n + BigInt(place), volume: 1_000n }));
    await stream({ bids: [], asks: levels(100) });
    expect((await createTestDesk(test).findBooks('maker-1'))?.ladders[0]?.asks).toHaveLength(5);
    await stream({ bids: [], asks: levels(10_000), sequence: 2n });
    expect(await createTestDesk(test).findBooks('maker-1')).toMatchObject({
      lastProblem: expect.stringContaining('at most 100 levels'),
      ladders: [{ sequence: 1n }],
    });
  });

  it('shows what a maker calls its tokens as it is', async () => {
    const base = { ...snapshot(0).base, symbol: '<b>USDC</b>' };
    await stream({ base });
    expect((await createTestDesk(test).findBooks('maker-1'))?.ladders[0]?.base.symbol).toBe('<b>USDC</b>');
  });

  it('shows no book after its expiry, and says so', async () => {
    await stream({});
    test.timers.advance(60_000);
    expect(await createTestDesk(test).findBooks('maker-1')).toMatchObject({
      total: 0,
      notUsed: expect.stringContaining('the last one has expired'),
    });
  });
});

describe('MakerDesk.findStanding', () => {
  it('reads the changes of a maker since its registration only', async () => {
    const asked: unknown[] = [];
    const change = { at: 9, from: 'offline', to: 'prod', cause: 'the swap stream is live' } as const;
    const desk = createTestDesk(test, {
      readChanges: async (...query) => {
        asked.push(query);
        return [change];
      },
    });
    test.rfq.setRecords([makerRecord(test.chain, 1, { createdAt: 7 })]);
    expect(await desk.findStanding('maker-1')).toMatchObject({
      view: { maker: { record: { id: 'maker-1', address: createTestAddress(1) } } },
      noOrders: 'its swap stream is not connected',
      breaker: { state: 'off', swaps: 0, missesLeft: null },
      webhookBreaker: null,
      changes: [change],
    });
    expect(asked).toEqual([['maker-1', 7, 50]]);
    expect(await desk.findStanding('maker-9')).toBeNull();
  });
});

const PIPE = {
  end: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  unread: () => 0,
};

/** Streams a snapshot of the maker, and resolves with its ack. */
function stream(overrides: Partial<Snapshot>): Promise<unknown> {
  const { rfq, timers } = test;
  rfq.swapStreams.open('maker-1', { ...PIPE, send: () => undefined });
  return new Promise((resolve) => {
    const quotes = rfq.quoteStreams.open('maker-1', { ...PIPE, send: resolve });
    quotes.received(snapshot(timers.now(), overrides), 0);
  });
}
