import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountUpdate } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { ANNA, BEN } from '../../testing/forecasts/test-forecast-events.ts';
import { createTestForecast, TestForecastRounds } from '../../testing/forecasts/test-forecast-rounds.ts';
import { createOutcomeUpdate } from '../../testing/forecasts/test-token-accounts.ts';
import { assertProperty } from '../../testing/random.ts';
import { ManualTimers } from '../../testing/timers.ts';
import type { RecordedCost } from '../history/cost-records.ts';
import { CostBook } from './cost-book.ts';
import { createForecastHoldings } from './forecast-holdings.ts';
import { OutcomeTokens } from './outcome-tokens.ts';

describe('OutcomeTokens', () => {
  it('knows who holds tokens when it opens, and follows them from wallet to wallet', async () => {
    const { tokens, tell, timers } = await open([createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 7n })]);
    const [held] = tokens.listOfOwner(ANNA);
    expect(held).toMatchObject({ owner: ANNA, mint: UP, amount: 7n, seenAt: NOW });
    expect(tokens.find(held?.address ?? ANNA)).toBe(held);
    tell(
      UP,
      createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 0n }, { slot: 2n }),
      createOutcomeUpdate({ owner: BEN, mint: UP, amount: 7n }, { slot: 2n }),
    );
    expect(tokens.listOfOwner(ANNA)).toEqual([]);
    expect(tokens.listOfMint(UP)).toMatchObject([{ owner: BEN, amount: 7n }]);
    await tokens.close();
    expect(timers.waiting).toBe(0);
  });

  it('follows the tokens of a new round, and forgets those of one that is gone', async () => {
    const { tokens, rounds, watched, found } = await open([
      createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 7n }),
    ]);
    const next = createTestForecast({ openAt: 1_800_000_300 });
    found.push(createOutcomeUpdate({ owner: BEN, mint: next.down.mint, amount: 3n }));
    rounds.set(next);
    await expect.poll(() => tokens.listOfOwner(BEN)).toMatchObject([{ mint: next.down.mint, amount: 3n }]);
    rounds.remove(ROUND.address);
    expect(tokens.listOfOwner(ANNA)).toEqual([]);
    expect([...watched.keys()].sort()).toEqual([next.up.mint, next.down.mint].sort());
    await tokens.close();
    expect(watched.size).toBe(0);
  });

  it('has the last state of every account after any updates in any order', async () => {
    const update = fc.record({
      owner: fc.constantFrom(ANNA, BEN),
      slot: fc.bigInt({ min: 2n, max: 20n }),
      amount: fc.option(fc.bigInt({ min: 0n, max: 9n }), { freq: 2, nil: null }),
    });
    const property = fc.asyncProperty(fc.array(update, { maxLength: 30 }), async (updates) => {
      const { tokens, tell } = await open([]);
      const last = new Map<Address, { readonly slot: bigint; readonly amount: bigint }>();
      for (const { owner, slot, amount } of updates) {
        const { address } = createOutcomeUpdate({ owner, mint: UP, amount: 0n });
        tell(
          UP,
          createOutcomeUpdate(amount === null ? null : { owner, mint: UP, amount }, { address, slot }),
        );
        if (slot >= (last.get(owner)?.slot ?? 0n)) last.set(owner, { slot, amount: amount ?? 0n });
      }
      for (const owner of [ANNA, BEN]) {
        const amount = last.get(owner)?.amount ?? 0n;
        expect(tokens.listOfOwner(owner).map((each) => each.amount)).toEqual(amount === 0n ? [] : [amount]);
      }
      expect(tokens.listOfMint(UP)).toHaveLength(
        [...last.values()].filter((each) => each.amount > 0n).length,
      );
      await tokens.close();
    });
    await assertProperty(property, { cases: 100, seed: 43_021 });
  });

  it('keeps a bounded number of accounts, and forgets empty ones first', async () => {
    const { tokens, tell } = await open([createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 0n })], 2);
    const other = (number: number) => createTestForecast({ openAt: 1_800_000_600 + 300 * number }).address;
    tell(
      UP,
      createOutcomeUpdate({ owner: other(1), mint: UP, amount: 1n }),
      createOutcomeUpdate({ owner: other(2), mint: UP, amount: 2n }),
      createOutcomeUpdate({ owner: other(3), mint: UP, amount: 3n }),
    );
    expect(
      tokens
        .listOfMint(UP)
        .map(({ amount }) => amount)
        .sort(),
    ).toEqual([1n, 2n]);
    await tokens.close();
  });

  it('passes over accounts of other mints, and what is no token account', async () => {
    const { tokens, tell } = await open([]);
    const broken = createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 4n });
    tell(UP, createOutcomeUpdate({ owner: BEN, mint: ROUND.down.mint, amount: 4n }), {
      ...broken,
      account: broken.account === null ? null : { ...broken.account, data: new Uint8Array(64) },
    });
    expect(tokens.listOfMint(UP)).toEqual([]);
    await tokens.close();
  });

  it('reads holders as soon as the network answers', async () => {
    const { tokens, timers, answer } = await open(null);
    expect(tokens.unhealthy()).toContain('the node is away');
    answer([createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 7n })]);
    timers.advance(1_000);
    await expect.poll(() => tokens.unhealthy()).toBeNull();
    expect(tokens.listOfOwner(ANNA)).toHaveLength(1);
    await tokens.close();
  });
});

describe('createForecastHoldings', () => {
  it('says what bought tokens have cost, and nothing of those that were sent', async () => {
    const { tokens, tell } = await open([
      createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 10n }),
      createOutcomeUpdate({ owner: BEN, mint: UP, amount: 4n }),
    ]);
    const cost = createCost({ contracts: 10n, cost: 60n, realizedPnl: 5n });
    const holdings = createForecastHoldings({
      tokens,
      costs: { find: (owner) => (owner === ANNA ? cost : null), refresh: async () => undefined },
      upToNow: async () => undefined,
    });
    const [anna] = holdings.holdingsOf(ANNA);
    expect(anna).toEqual({
      account: cost.account,
      owner: ANNA,
      mint: UP,
      contracts: 10n,
      totalCost: 60n,
      realizedPnl: 5n,
      openedAt: 11,
      updatedAt: 12,
    });
    expect(holdings.find(cost.account)).toEqual(anna);
    expect(holdings.holdingsOf(BEN)).toMatchObject([{ contracts: 4n, totalCost: 0n, openedAt: NOW }]);
    expect(holdings.holdersOf(UP)).toHaveLength(2);
    expect(holdings.find(ANNA)).toBeNull();
    // She sends six away, and is sent eleven others into another account.
    tell(
      UP,
      createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 4n }, { slot: 2n }),
      createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 11n }, { slot: 2n, address: ROUND.down.pool }),
    );
    const costs = holdings.holdingsOf(ANNA).map(({ contracts, totalCost }) => [contracts, totalCost]);
    expect(costs).toEqual(
      expect.arrayContaining([
        [4n, 16n],
        [11n, 44n],
      ]),
    );
    await tokens.close();
  });
});

describe('catchUp of holdings', () => {
  it('waits for the record and then for the costs, and is over when the record cannot be read', async () => {
    const { tokens } = await open([]);
    const calls: string[] = [];
    let isAway = false;
    const holdings = createForecastHoldings({
      tokens,
      costs: {
        find: () => null,
        refresh: async () => {
          calls.push('costs');
        },
      },
      upToNow: async () => {
        calls.push('record');
        if (isAway) throw new Error('the node is away');
      },
    });
    await holdings.catchUp();
    isAway = true;
    await holdings.catchUp();
    expect(calls).toEqual(['record', 'costs', 'record']);
    await tokens.close();
  });
});

describe('CostBook', () => {
  it('knows what has changed, begins again with the network, and forgets in the end what the record has dropped', async () => {
    let recorded = [createCost({ contracts: 1n, cost: 2n, slot: 5 })];
    let slot = 10;
    const asked: number[] = [];
    const book = new CostBook({
      listChanged: async (from) => {
        asked.push(from);
        return recorded;
      },
      slot: () => slot,
    });
    await book.refresh();
    expect(book.find(ANNA, UP)).toMatchObject({ cost: 2n });
    recorded = [createCost({ contracts: 2n, cost: 5n, slot: 6 })];
    await book.refresh();
    expect(book.find(ANNA, UP)).toMatchObject({ cost: 5n });
    recorded = [];
    slot = 3;
    await book.refresh();
    expect(book.find(ANNA, UP)).toBeNull();
    expect(asked).toEqual([0, 5, 0]);
    recorded = [createCost({ contracts: 2n, cost: 5n, slot: 2 })];
    await book.refresh();
    recorded = [];
    await book.refresh();
    expect(book.find(ANNA, UP)).not.toBeNull();
    for (let reading = 0; reading < 150; reading++) await book.refresh();
    expect(book.find(ANNA, UP)).toBeNull();
  });

  it('never puts an older state in the place of a newer one', async () => {
    const readings: ((costs: readonly RecordedCost[]) => void)[] = [];
    const book = new CostBook({
      listChanged: () => new Promise((resolve) => readings.push(resolve)),
      slot: () => 10,
    });
    const both = [book.refresh(), book.refresh()];
    // The second reading begins when the first has ended.
    expect(readings).toHaveLength(1);
    readings[0]?.([createCost({ cost: 2n, slot: 5 })]);
    await expect.poll(() => readings.length).toBe(2);
    readings[1]?.([createCost({ cost: 5n, slot: 6 })]);
    await Promise.all(both);
    expect(book.find(ANNA, UP)).toMatchObject({ cost: 5n });
  });
});

function createCost(changed: Partial<RecordedCost>): RecordedCost {
  return {
    owner: ANNA,
    mint: UP,
    round: ROUND.address,
    account: createOutcomeUpdate({ owner: ANNA, mint: UP, amount: 0n }).address,
    contracts: 0n,
    cost: 0n,
    realizedPnl: 0n,
    openedAt: 11,
    updatedAt: 12,
    isLost: false,
    slot: 1,
    ...changed,
  };
}

async function open(accounts: readonly AccountUpdate[] | null, maxAccounts?: number) {
  const rounds = new TestForecastRounds([ROUND]);
  const timers = new ManualTimers();
  const watched = new Map<string, (updates: readonly AccountUpdate[]) => void>();
  const found: AccountUpdate[] = [...(accounts ?? [])];
  let isAway = accounts === null;
  const mints = new Map<string, Address>();
  const toMint = (bytes: Uint8Array | undefined) => {
    for (const { up, down } of rounds.list()) for (const { mint } of [up, down]) mints.set(toKey(mint), mint);
    return mints.get(Buffer.from(bytes ?? []).toString('hex')) ?? '';
  };
  const tokens = await OutcomeTokens.open({
    chain: {
      watchProgram: (_, onChange, filter) => {
        const mint = toMint(filter?.memcmp?.bytes);
        watched.set(mint, onChange);
        return () => watched.delete(mint);
      },
      getProgramAccounts: async (_, __, filter) => {
        if (isAway) throw new Error('the node is away');
        const key = Buffer.from(filter?.memcmp?.bytes ?? []).toString('hex');
        return found.filter(({ account }) => account !== null && toHex(account.data.subarray(0, 32)) === key);
      },
    },
    now: () => NOW,
    rounds,
    timers,
    outage: { onFailure: () => undefined, onAnswer: () => undefined },
    maxAccounts,
  });
  return {
    tokens,
    rounds,
    timers,
    watched,
    found,
    tell: (mint: Address, ...updates: readonly AccountUpdate[]) => watched.get(mint)?.(updates),
    answer: (updates: readonly AccountUpdate[]) => {
      isAway = false;
      found.push(...updates);
    },
  };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function toKey(mint: Address): string {
  const account = createOutcomeUpdate({ owner: ANNA, mint, amount: 0n }).account;
  return toHex(account?.data.subarray(0, 32) ?? new Uint8Array(0));
}

const ROUND = createTestForecast();
const UP = ROUND.up.mint;
const NOW = 1_800_000_100;
