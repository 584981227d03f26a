import { describe, expect, it } from 'vitest';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createBookVersions, Books } from '../books/books.ts';
import { TestCluster } from '../../testing/rfq/owners.ts';
import type { LiveBook } from '../books/live-book.ts';
import { type BookExchange, exchangeBooks } from './shared-books.ts';
import { createTestAddress, SOL_TOKEN, snapshot, USDC, USDC_TOKEN } from '../../testing/rfq/test-rfq.ts';
import { type InventoryClaim, Reservations } from '../books/reservations.ts';
import { openForEach } from '../../testing/opened.ts';

const server = openForEach(() => new TestCluster());
const one = openForEach(() => open('one'));
const other = openForEach(() => open('other'));

describe('exchangeBooks', () => {
  it('quotes from the books of all instances, level by level, and shows what makers sent', async () => {
    const { live, ...shown } = put(one);
    const changes: [string, boolean][] = [];
    other.exchange.market.watch((makerId, book) => changes.push([makerId, book !== null]));
    await pass(100);
    expect(seenBy(other)).toEqual(seenBy(one));
    expect(seenBy(other)).toMatchObject([
      { makerId: 'maker-1', bids: live.bids, asks: live.asks, leftMs: 59_900 },
    ]);
    const [listed] = [...other.exchange.market.listed(server.timers.now())];
    expect(listed?.snapshot).toEqual({
      timestamp: shown.snapshot.timestamp,
      sequence: 1n,
      expirySeconds: 60n,
      lotSizeBase: 1_000n,
      cluster: 'mainnet',
      base: { ...SOL_TOKEN, ...tokenProgram },
      quote: { ...USDC_TOKEN, ...tokenProgram },
    });
    expect(listed?.receivedAt).toBe(shown.receivedAt);
    put(one, { bids: [] });
    await pass(100);
    expect(seenBy(other)).toMatchObject([{ bids: [], asks: live.asks }]);
    one.own.removeAll('maker-1');
    await pass(100);
    expect(seenBy(other)).toEqual([]);
    expect(changes).toEqual([
      ['maker-1', true],
      ['maker-1', true],
      ['maker-1', false],
    ]);
    // What is here counts once, and none is taken for another's.
    put(other);
    expect(seenBy(other)).toHaveLength(1);
    expect([...other.own.all(server.timers.now())]).toHaveLength(1);
  });

  it("subtracts the inventory that is reserved at the maker's instance", async () => {
    put(one);
    await pass(100);
    expect(one.reservations.reserve(claim('swap', 7n))).toBeNull();
    await pass(100);
    expect(other.taken.reserved('maker-1', base.mint)).toBe(7n);
    expect(other.taken.reserved('maker-1', quote.mint)).toBe(0n);
    // Promises are made where the maker is, and nowhere else.
    expect(other.reservations.reserve(claim('double', 1n))).toMatchObject({ refused: 'expired' });
    one.reservations.release('maker-1', 'swap');
    await pass(100);
    expect(other.taken.reserved('maker-1', base.mint)).toBe(0n);
  });

  it('publishes a book once while nothing changes, and again for instances that start later', async () => {
    put(one);
    await pass(100);
    const text = () => server.published.filter((message) => message.includes('maker-1'));
    expect(text()).toHaveLength(1);
    const [before] = other.exchange.market.between(base.mint, quote.mint, server.timers.now());
    const late = await open('late');
    await pass(1_900);
    expect(text()).toHaveLength(1);
    expect(seenBy(late)).toEqual([]);
    await pass(200);
    expect(text()).toHaveLength(2);
    expect(seenBy(late)).toEqual(seenBy(one));
    // The same book is the same object, on which others keep what they know of it.
    expect(other.exchange.market.between(base.mint, quote.mint, server.timers.now())[0]).toBe(before);
    await pass(60_000);
    expect([seenBy(one), seenBy(other), seenBy(late)]).toEqual([[], [], []]);
    const sent = server.published.length;
    await pass(5_000);
    expect(server.published.length).toBe(sent);
  });

  it('removes the books of an instance that ends, and adds them again when it returns', async () => {
    put(one);
    await pass(2_000);
    server.cutOff('one');
    await pass(1_000);
    expect(seenBy(other)).toHaveLength(1);
    await pass(1_000);
    expect(seenBy(other)).toEqual([]);
    expect(other.taken.reserved('maker-1', base.mint)).toBe(0n);
    server.restore('one');
    await pass(200);
    expect(seenBy(other)).toHaveLength(1);
    expect(server.defects).toEqual([]);
  });

  it('removes a book some seconds after it left, if the message was lost', async () => {
    put(one);
    put(one, { makerId: 'maker-2' });
    await pass(100);
    server.cutOff('other');
    one.own.removeAll('maker-2');
    await pass(200);
    server.restore('other');
    await pass(4_000);
    expect(seenBy(other)).toHaveLength(2);
    await pass(1_500);
    expect(seenBy(other).map(({ makerId }) => makerId)).toEqual(['maker-1']);
  });

  it('follows a maker to another instance', async () => {
    put(one);
    await pass(100);
    one.own.removeAll('maker-1');
    put(other, { bids: [] });
    const third = await open('third');
    await pass(200);
    expect([seenBy(one), seenBy(other), seenBy(third)].map((seen) => seen.length)).toEqual([1, 1, 1]);
    expect(seenBy(one)).toEqual(seenBy(other));
    expect(seenBy(third)).toEqual(seenBy(other));
  });

  it('publishes a hundred books at a time, those that waited longest first', async () => {
    for (let number = 0; number < 250; number++) put(one, { makerId: `maker-${number}` });
    const published = () => seenBy(other).length;
    const counts: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      await pass(100);
      counts.push(published());
      // Who changes all the time does not keep the others waiting.
      for (let number = 0; number < 100; number++) put(one, { makerId: `maker-${number}` });
    }
    expect(counts).toEqual([100, 200, 250]);
  });

  it('ignores and reports books that cannot be read', async () => {
    const { send } = server.broadcast('stranger');
    for (const text of ['', 'null', '{"form":1}', '{"form":1,"from":"x","books":[{}],"gone":[]}'])
      await send(text);
    expect(server.defects).toHaveLength(8);
    // One that is newer, or older, than this one is not understood, as during an update.
    await send('{"form":2,"whatever":true}');
    expect(server.defects).toHaveLength(8);
  });
});

type Opened = Awaited<ReturnType<typeof open>>;

async function open(self: string) {
  const { timers } = server;
  const nextVersion = createBookVersions();
  const own = new Books(timers, nextVersion);
  const reservations = new Reservations(own, () => timers.now());
  const exchange: BookExchange = await exchangeBooks({
    own,
    ownReserved: reservations,
    self,
    timers,
    nextVersion,
    broadcast: server.broadcast(self),
    onDefect: (error) => server.defects.push(error),
  });
  return { own, exchange, reservations, taken: exchange.reserved };
}

const base = { mint: WRAPPED_SOL_MINT, decimals: 9, tokenProgram: createTestAddress(200) };
const quote = { mint: USDC, decimals: 6, tokenProgram: createTestAddress(200) };

function put({ own }: Opened, overrides: Partial<LiveBook> = {}, seconds = 60) {
  const now = server.timers.now();
  const { bids, asks, ...streamed } = snapshot(now);
  const live = {
    makerId: 'maker-1',
    makerAddress: createTestAddress(1),
    base,
    quote,
    bids,
    asks,
    expiresAt: now + seconds * 1_000,
    ...overrides,
  };
  return own.put({ snapshot: streamed, arranged: { bids, asks }, receivedAt: now }, live);
}

const claim = (swapUuid: string, amount: bigint): InventoryClaim => ({
  swapUuid,
  makerId: 'maker-1',
  base: base.mint,
  quote: quote.mint,
  mint: base.mint,
  amount,
});

/** Time that passes with everything done that it brings about. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    server.timers.advance(50);
    await new Promise(setImmediate);
  }
}

const seenBy = ({ exchange }: Opened) =>
  exchange.market
    .between(quote.mint, base.mint, server.timers.now())
    .map(({ version, expiresAt, ...book }) => ({
      ...book,
      leftMs: expiresAt - server.timers.now(),
      isVersioned: version > 0,
    }));

const tokenProgram = { tokenProgram: createTestAddress(200) };
