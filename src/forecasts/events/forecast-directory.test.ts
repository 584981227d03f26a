import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { createTestForecast, TestForecastRounds } from '../../testing/forecasts/test-forecast-rounds.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { ForecastDirectory } from './forecast-directory.ts';
import type { ForecastRoundFacts } from './forecast-event.ts';
import { deriveForecastHash, toForecastEventId, toForecastMarketId } from './forecast-ids.ts';

describe('ForecastDirectory', () => {
  it('describes a round as an event with a market for each side, and says how it settles', async () => {
    const round = createTestForecast({ openAt: OPEN_AT });
    const { directory } = await open([round]);
    const event = directory.findEvent(toForecastEventId(round.address));
    expect(event).toMatchObject({
      eventId: `BISON-${round.address}`,
      title: 'Bitcoin up or down, 14:05 to 14:10 UTC',
      subtitle: '1 December 2026',
      slug: `btc-up-or-down-5m-${OPEN_AT}`,
      category: 'crypto',
      subcategory: 'btc',
      tags: ['btc', '5m', 'up-or-down'],
      beginAt: OPEN_AT,
      closeAt: OPEN_AT + 300,
      closeCondition: 'The round closes at 14:10:00 UTC on 1 December 2026.',
    });
    const [up, down] = event?.markets ?? [];
    expect(up).toMatchObject({
      marketId: `BISON-${round.address}-UP`,
      marketIdHash: deriveForecastHash(`BISON-${round.address}-UP`),
      title: 'Up',
      status: 'open',
      result: null,
      feeBps: 0,
      forecast: { round: round.address, side: 'up', outcomeMint: round.up.mint, lifecycle: 'open' },
    });
    expect(up?.rulesPrimary).toBe(
      'Each token pays 1.00 USDC if the closing price of Bitcoin at 14:10:00 UTC on 1 December 2026 is at or above ' +
        'the opening price of 108,500.00 USD. Otherwise it pays nothing.',
    );
    expect(down?.rulesPrimary).toContain('is below the opening price of 108,500.00 USD');
    expect(down?.rulesSecondary).toContain(
      'The closing price is that of its first update at or after 14:10:00 UTC',
    );
    expect(directory.findMarket(`BISON-${round.address}-DOWN`)).toBe(down);
    expect(directory.findMarketByHash(up?.marketIdHash ?? '')).toBe(up);
    await directory.close();
  });

  it('closes a round in the second of its close, and tells of it without being asked', async () => {
    const round = createTestForecast({ openAt: OPEN_AT });
    const { directory, clock, timers, changes } = await open([round]);
    clock.second = OPEN_AT + 300;
    timers.advance(1_000);
    await expect.poll(() => changes).toEqual([toForecastEventId(round.address)]);
    expect(statesOf(directory, round)).toEqual([
      ['closed', null, 'resolving'],
      ['closed', null, 'resolving'],
    ]);
    await directory.close();
    expect(timers.waiting).toBe(0);
  });

  it.each([
    ['up', ['closed', 'yes', 'settled'], ['closed', 'no', 'settled']],
    ['down', ['closed', 'no', 'settled'], ['closed', 'yes', 'settled']],
    ['void', ['cancelled', null, 'settled'], ['cancelled', null, 'settled']],
  ] as const)('shows a round that has ended with %s, also when it is gone', async (outcome, up, down) => {
    const round = createTestForecast({ openAt: OPEN_AT });
    const { directory, rounds } = await open([round]);
    rounds.set({ ...round, outcome, settledAt: OPEN_AT + 305 });
    rounds.remove(round.address);
    expect(statesOf(directory, round)).toEqual([up, down]);
    expect(directory.findMarket(toForecastMarketId(round.address, 'up'))?.resolvedAt).toBe(OPEN_AT + 305);
    await directory.close();
  });

  it('lists a round as open that had a result before the network began again', async () => {
    const round = createTestForecast({ openAt: OPEN_AT });
    const ended = { ...round, outcome: 'void', settledAt: OPEN_AT + 305 } as const;
    const { directory, rounds, timers, changed } = await open([ended]);
    rounds.remove(round.address);
    rounds.set(round);
    expect(statesOf(directory, round)[0]).toEqual(['open', null, 'open']);
    // The record knows it as it was before.
    changed.push(ended);
    timers.advance(1_000);
    await expect.poll(() => changed.length).toBe(0);
    expect(statesOf(directory, round)[0]).toEqual(['open', null, 'open']);
    await directory.close();
  });

  it('describes a round as the chain has it, although one of its name was open before the network began again', async () => {
    const before = createTestForecast({ openAt: OPEN_AT, openPrice: 9_000_000_000_000n });
    const after = createTestForecast({ openAt: OPEN_AT, openPrice: 9_100_000_000_000n });
    const { directory, rounds, timers, changed } = await open([before]);
    const describe = () => directory.listEvents()[0]?.markets[0]?.rulesPrimary;
    expect(describe()).toContain('opening price of 90,000.00 USD');
    rounds.set(after);
    expect(describe()).toContain('opening price of 91,000.00 USD');
    // The record tells of the one before while the chain has none yet.
    rounds.remove(after.address);
    changed.push(before);
    timers.advance(1_000);
    await expect.poll(describe).toContain('opening price of 90,000.00 USD');
    rounds.set(after);
    expect(describe()).toContain('opening price of 91,000.00 USD');
    await directory.close();
  });

  it('drops a round that is gone without a result, until the record has one', async () => {
    const round = createTestForecast({ openAt: OPEN_AT });
    const { directory, rounds, timers, changed } = await open([round]);
    rounds.remove(round.address);
    expect(directory.listEvents()).toEqual([]);
    changed.push({ ...round, outcome: 'down', settledAt: OPEN_AT + 301 });
    timers.advance(1_000);
    await expect.poll(() => directory.listEvents().length).toBe(1);
    // The record can be behind the chain. What has a result keeps it.
    changed.push(round);
    timers.advance(1_000);
    await expect.poll(() => changed.length).toBe(0);
    expect(statesOf(directory, round)[0]).toEqual(['closed', 'no', 'settled']);
    await directory.close();
  });

  it('lists a bounded number of rounds, and recalls older ones when somebody needs them', async () => {
    const old = Array.from({ length: 500 }, (_, index) =>
      createTestForecast({ openAt: OPEN_AT - 300 * (index + 1), outcome: 'up', settledAt: OPEN_AT }),
    );
    const { directory, asked } = await open([createTestForecast({ openAt: OPEN_AT })], old);
    expect(directory.listEvents()).toHaveLength(400);
    const [newest, oldest] = [old[0], old[499]];
    if (newest === undefined || oldest === undefined) throw new Error('no rounds');
    const hash = (round: ForecastRoundFacts) => deriveForecastHash(toForecastMarketId(round.address, 'down'));
    expect(directory.findMarketByHash(hash(newest))).not.toBeNull();
    expect(directory.findMarketByHash(hash(oldest))).toBeNull();
    await directory.recall([hash(newest), hash(oldest), 'unknown']);
    expect(asked).toEqual([[hash(oldest), 'unknown']]);
    expect(directory.findMarketByHash(hash(oldest))?.eventId).toBe(toForecastEventId(oldest.address));
    expect(directory.listEvents()).toHaveLength(400);
    await directory.close();
  });

  it('is unhealthy while the record cannot be read', async () => {
    const { directory, timers, fail } = await open([]);
    fail(new Error('no database'));
    timers.advance(1_000);
    await expect.poll(() => directory.unhealthy()).toContain('no database');
    fail(null);
    timers.advance(1_000);
    await expect.poll(() => directory.unhealthy()).toBeNull();
    await directory.close();
  });
});

function statesOf(directory: ForecastDirectory, { address }: { readonly address: Address }) {
  const markets = directory.findEvent(toForecastEventId(address))?.markets ?? [];
  return markets.map(({ status, result, forecast }) => [status, result, forecast?.lifecycle]);
}

async function open(
  onChain: readonly ReturnType<typeof createTestForecast>[],
  recorded: readonly ForecastRoundFacts[] = [],
) {
  const rounds = new TestForecastRounds(onChain);
  const timers = new ManualTimers();
  const clock = { second: OPEN_AT + 10 };
  const changed: ForecastRoundFacts[] = [];
  const asked: (readonly string[])[] = [];
  let failure: Error | null = null;
  const directory = await ForecastDirectory.open({
    rounds,
    record: {
      listNewest: async (limit) => recorded.slice(0, limit),
      listChanged: async () => {
        if (failure !== null) throw failure;
        return changed.splice(0);
      },
      listByHashes: async (hashes) => {
        asked.push(hashes);
        return recorded.filter(({ address }) =>
          (['up', 'down'] as const).some((side) =>
            hashes.includes(deriveForecastHash(toForecastMarketId(address, side))),
          ),
        );
      },
    },
    now: () => clock.second,
    timers,
    outage: { onFailure: () => undefined, onAnswer: () => undefined },
  });
  const changes: string[] = [];
  directory.onChange((eventId) => changes.push(eventId));
  const fail = (error: Error | null) => {
    failure = error;
  };
  return { directory, rounds, timers, clock, changed, asked, changes, fail };
}

const OPEN_AT = 1_796_133_900;
