import { describe, expect, it } from 'vitest';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Store } from '../../store/sql/sql.ts';
import {
  createTestAccept,
  createTestAddress,
  createTestMarket,
  TEST_MARKET,
} from '../../testing/exchange/test-exchange.ts';
import { openForEach } from '../../testing/opened.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { openExchangeBooks } from './exchange-books.ts';

describe.each(STORES)('ExchangeBooks on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('returns what a command has brought about, and remembers it over a restart', async () => {
    const books = await open(tested.store);
    await books.send(createTestMarket());
    await books.send(createTestAccept('sale', { isBuy: false, cents: 40 }));
    const { trades } = await books.send(createTestAccept('purchase', { cents: 45 }));
    expect(trades).toMatchObject([
      { number: 1, contracts: 10_000_000n, taker: { price: 400_000n, amount: 4_000_000n } },
    ]);
    await books.close();

    const again = await open(await tested.reopen());
    expect([...again.tradesInFlight()]).toEqual(trades);
    const { ended } = await again.send({ kind: 'confirm', trade: 1 });
    expect(ended.map(({ address }) => address)).toEqual(['sale', 'purchase'].map(createTestAddress));
    expect(again.findOrder(createTestAddress('sale'))).toMatchObject({
      ended: 'filled',
      confirmed: 10_000_000n,
    });
    await again.close();
  });

  it('lets nobody write who had it open before', async () => {
    const books = await open(tested.store);
    await books.send(createTestMarket());
    const next = await open(tested.store);
    await expect(books.send(createTestAccept('late'))).rejects.toThrow(
      'another instance has opened the journal',
    );
    await expect(books.send(createTestAccept('later'))).rejects.toThrow(
      'another instance has opened the journal',
    );
    await next.send(createTestAccept('first'));
    expect([...next.orders()].map(({ order }) => order.address)).toEqual([createTestAddress('first')]);
    expect(next.findMarket(TEST_MARKET)).toEqual({ isHalted: false, netYes: 0n, tradesInFlight: 0 });
    await Promise.all([books.close(), next.close()]);
  });

  it('keeps the networks of one database apart', async () => {
    const books = await open(tested.store);
    await books.send(createTestMarket());
    const other = await open(tested.store, 'another network');
    expect(other.listMarkets()).toEqual([]);
    expect(books.listMarkets()).toEqual([TEST_MARKET]);
    await Promise.all([books.close(), other.close()]);
  });
});

function open(store: Store, network = 'network') {
  const onError = (error: unknown) => {
    throw error;
  };
  return openExchangeBooks({ store, network, timers: SYSTEM_TIMERS, onError });
}
