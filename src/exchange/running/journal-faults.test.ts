import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  RandomLife,
  type RandomStep,
  randomSteps,
  randomTerms,
} from '../../testing/exchange/random-commands.ts';
import {
  createTestAccept,
  createTestAddress,
  createTestMarket,
} from '../../testing/exchange/test-exchange.ts';
import { openForEach } from '../../testing/opened.ts';
import { sampleCases } from '../../testing/random.ts';
import { replaced } from '../../testing/replaced.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { ManualTimers, SkippingTimers } from '../../testing/timers.ts';
import type { Store } from '../../store/sql/sql.ts';
import { ExchangeState } from '../books/exchange-state.ts';
import type { ExchangeCommand, ExchangeOutcome, MarketTerms } from '../exchange-order.ts';
import { exchangeJournal } from '../journal/journal-tables.ts';
import { type ExchangeBooks, openExchangeBooks } from './exchange-books.ts';

describe.each(STORES)('ExchangeBooks on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('tells nothing that a later instance does not know too, wherever its process ends', async () => {
    const cases = fc.tuple(
      randomTerms,
      randomSteps,
      fc.nat({ max: 60 }),
      fc.infiniteStream(fc.nat({ max: 9 })),
    );
    let network = 0;
    for (const [terms, steps, endsAfter, groups] of sampleCases(cases, {
      cases: 60,
      short: 12,
      seed: 4_210,
    })) {
      network++;
      const books = await open(tested.store, { network: String(network) });
      const told = await live(books, { terms, steps: steps.slice(0, endsAfter), groups });
      // Commands that are on their way when the process ends may be in the journal or not.
      const last = createTestAccept('last');
      books.send(last).then(
        (outcome) => told.push({ command: last, outcome }),
        () => undefined,
      );
      const next = await open(tested.store, { network: String(network) });
      const expected = new ExchangeState();
      for (const { command, outcome } of told) expect(expected.apply(command)).toEqual(outcome);
      if (next.findOrder(createTestAddress('last')) !== null) expected.apply(last);
      expect([...next.orders()].map(({ order }) => order)).toEqual(
        [...expected.orders.values()].map(({ order }) => order),
      );
      expect([...next.tradesInFlight()]).toEqual([...expected.trades.values()].map(({ trade }) => trade));
      await Promise.all([books.close(), next.close()]);
    }
  });

  it.each(['before', 'after'] as const)('writes once what fails %s it is in the journal', async (when) => {
    const faults: unknown[] = [];
    const store = failSometimes(tested.store, when);
    const books = await open(store, { timers: new SkippingTimers(), onError: (error) => faults.push(error) });
    store.fail();
    await books.send(createTestMarket());
    await books.send(createTestAccept('sale', { isBuy: false }));
    store.fail();
    const { trades } = await books.send(createTestAccept('purchase'));
    expect(faults.map(String)).toEqual(['Error: the disk is gone', 'Error: the disk is gone']);
    await books.close();
    const next = await open(tested.store);
    expect([...next.tradesInFlight()]).toEqual(trades);
    expect([...next.orders()]).toHaveLength(2);
    await next.close();
  });

  it('applies nothing while the journal cannot be written, and says why', async () => {
    const timers = new ManualTimers();
    const store = failSometimes(tested.store, 'before');
    const books = await open(store, { timers, onError: () => undefined });
    store.fail();
    const sent = books.send(createTestMarket());
    await expect
      .poll(() => books.fault)
      .toBe('the journal of the exchange cannot be written: the disk is gone');
    expect(books.listMarkets()).toEqual([]);
    const closing = books.close();
    await expect(sent).rejects.toThrow('the exchange is closed');
    await closing;
    await expect(books.send(createTestMarket())).rejects.toThrow('the exchange is closed');
  });

  it('keeps a short journal of orders that have come and gone, and begins again from it', async () => {
    const books = await open(tested.store);
    await books.send(createTestMarket());
    await books.send(createTestAccept('resting', { cents: 30 }));
    for (let round = 0; round < 6; round++) {
      const sent: Promise<ExchangeOutcome>[] = [];
      for (let index = 0; index < 2_000; index++) {
        sent.push(books.send(createTestAccept(`order ${round} ${index}`, { isLimit: false })));
        sent.push(books.send({ kind: 'forget', order: createTestAddress(`order ${round} ${index}`) }));
      }
      await Promise.all(sent);
    }
    await books.close();
    const store = await tested.reopen();
    const rows = await store.db.select({ entries: exchangeJournal.entries }).from(exchangeJournal);
    const count = rows.reduce((sum, { entries }) => sum + JSON.parse(entries).length, 0);
    expect(count).toBeLessThan(5_000);
    const next = await open(store);
    expect([...next.orders()].map(({ order }) => order.address)).toEqual([createTestAddress('resting')]);
    await next.close();
  });

  it('does not open a journal of which rows are missing', async () => {
    const books = await open(tested.store);
    for (const name of ['first', 'second', 'third']) await books.send(createTestAccept(name));
    await books.close();
    await tested.store.db.delete(exchangeJournal).where(eq(exchangeJournal.sequence, 2));
    await expect(open(tested.store)).rejects.toThrow('the journal of the exchange has row 3 after row 1');
    await tested.store.db.delete(exchangeJournal).where(eq(exchangeJournal.sequence, 3));
    await expect(open(tested.store)).rejects.toThrow('should have row 3, and ends with row 1');
  });

  it('refuses commands when too many wait', async () => {
    const books = await open(tested.store);
    const sent = Array.from({ length: 20_001 }, () => books.send(createTestMarket()));
    const outcomes = await Promise.allSettled(sent);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { message: 'the exchange has too much to write' } },
    ]);
    await books.close();
  });
});

interface Told {
  readonly command: ExchangeCommand;
  readonly outcome: ExchangeOutcome;
}

/** Gives an exchange commands, several at once. Returns what it was told, in the order of the commands. */
async function live(
  books: ExchangeBooks,
  life: {
    readonly terms: MarketTerms;
    readonly steps: readonly RandomStep[];
    readonly groups: Iterator<number>;
  },
): Promise<Told[]> {
  const told: Told[] = [];
  const random = new RandomLife();
  let commands: ExchangeCommand[] = [{ kind: 'open', terms: life.terms }];
  const send = async () => {
    const outcomes = await Promise.all(commands.map((command) => books.send(command)));
    for (const [index, outcome] of outcomes.entries()) {
      const command = commands[index];
      if (command !== undefined) told.push({ command, outcome });
      random.note(outcome);
    }
    commands = [];
  };
  await send();
  for (const step of life.steps) {
    const command = random.toCommand(step);
    if (command !== null) commands.push(command);
    if (commands.length > life.groups.next().value) await send();
  }
  await send();
  return told;
}

/** Returns a store whose next transaction fails when it is told so: before it has begun, or after it was committed. */
function failSometimes(store: Store, when: 'before' | 'after'): Store & { readonly fail: () => void } {
  let fails = false;
  const transaction: Store['transaction'] = async (work) => {
    const failsNow = fails;
    fails = false;
    if (failsNow && when === 'before') throw new Error('the disk is gone');
    const result = await store.transaction(work);
    if (failsNow) throw new Error('the disk is gone');
    return result;
  };
  const fail = () => {
    fails = true;
  };
  return Object.assign(replaced(store, { transaction }), { fail });
}

function open(
  store: Store,
  {
    network = 'network',
    timers = new ManualTimers(),
    onError = (error: unknown): void => {
      throw error;
    },
  } = {},
): Promise<ExchangeBooks> {
  return openExchangeBooks({ store, network, timers, onError });
}
