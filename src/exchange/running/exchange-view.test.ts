import { expect, it, describe } from 'vitest';
import type { Store } from '../../store/sql/sql.ts';
import {
  createTestAccept,
  createTestAddress,
  createTestMarket,
  TEST_MARKET,
} from '../../testing/exchange/test-exchange.ts';
import { openForEach } from '../../testing/opened.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { SkippingTimers } from '../../testing/timers.ts';
import type { ExchangeCommand } from '../exchange-order.ts';
import { encodeCommand } from '../journal/command-codec.ts';
import { ExchangeJournal } from '../journal/exchange-journal.ts';
import { encodeState } from '../journal/state-codec.ts';
import { ExchangeState } from '../books/exchange-state.ts';
import { ExchangeView } from './exchange-view.ts';

describe('ExchangeView', () => {
  const tested = openForEach(() => openTestStore('sqlite'), 'cleanUp');

  it('shows the books of the instance that writes the journal, and tells which have changed', async () => {
    const view = new ExchangeView(tested.store, 'network');
    await view.refresh();
    expect(view.getBook(TEST_MARKET)).toBeNull();
    const journal = await openJournal(tested.store);
    const changed: string[] = [];
    view.onChange((marketId) => changed.push(marketId));
    await journal.append([createTestMarket(), createTestAccept('order', { cents: 40 })].map(encodeCommand));
    await view.refresh();
    await view.refresh();
    expect(view.getBook(TEST_MARKET)?.yes).toEqual([{ price: 400_000n, contracts: 10_000_000n }]);
    expect(view.getPrices(TEST_MARKET)).toEqual({
      buyYes: null,
      sellYes: 400_000n,
      buyNo: 600_000n,
      sellNo: null,
    });
    expect(changed).toEqual([TEST_MARKET]);
  });

  it.each([true, false])(
    'goes on behind a snapshot, if it has read what is before it: %s',
    async (hasRead) => {
      const view = new ExchangeView(tested.store, 'network');
      const journal = await openJournal(tested.store);
      const state = new ExchangeState();
      const write = async (commands: readonly ExchangeCommand[]) => {
        await journal.append(commands.map(encodeCommand));
        for (const command of commands) state.apply(command);
      };
      await write([createTestMarket(), createTestAccept('order', { cents: 40 })]);
      await view.refresh();
      await write([createTestAccept('other', { cents: 41 })]);
      if (hasRead) await view.refresh();
      await journal.replace(encodeState(state));
      await write([createTestAccept('last', { cents: 42 })]);
      await view.refresh();
      expect(view.getBook(TEST_MARKET)?.yes.map(({ price }) => price)).toEqual([
        400_000n,
        410_000n,
        420_000n,
      ]);
      expect([...view.orders()].map(({ order }) => order.address)).toEqual(
        ['order', 'other', 'last'].map(createTestAddress),
      );
    },
  );

  it('refreshes itself until it is closed', async () => {
    const view = new ExchangeView(tested.store, 'network');
    view.follow(new SkippingTimers(), (error) => {
      throw error;
    });
    const journal = await openJournal(tested.store);
    await journal.append([encodeCommand(createTestMarket())]);
    await expect.poll(() => view.listMarkets()).toEqual([TEST_MARKET]);
    view.close();
  });
});

async function openJournal(store: Store): Promise<ExchangeJournal> {
  const journal = new ExchangeJournal(store, 'network');
  await journal.open();
  return journal;
}
