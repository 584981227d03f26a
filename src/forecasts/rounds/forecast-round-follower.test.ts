import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountUpdate } from '../../chain/accounts.ts';
import { encodeForecastConfig } from '../../protocols/bisonfi-forecast/forecast-config.ts';
import { deriveForecastSide, FORECAST_CONFIG } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../solana/address.ts';
import {
  createForecastUpdate,
  createTestRound,
  OTHER_FEED,
  TEST_FEED,
} from '../../testing/forecasts/test-forecast-accounts.ts';
import { assertProperty } from '../../testing/random.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { ForecastRoundFollower } from './forecast-round-follower.ts';

const SETTLED = {
  status: 'up',
  closePrice: 10_850_000_000_001n,
  settledAt: 1_800_000_301n,
} as const;

describe('ForecastRoundFollower', () => {
  it('knows the rounds that exist, and what becomes of them', async () => {
    const { address, round, data } = createTestRound();
    const { follower, tell, changes } = await open([createForecastUpdate(address, data, 5n)]);
    expect(follower.list()).toEqual([follower.find(address)]);
    expect(follower.find(address)).toMatchObject({
      asset: 'BTC',
      openAt: 1_800_000_000,
      closeAt: 1_800_000_300,
      closePrice: null,
      outcome: null,
      up: { mint: round.upMint, pool: deriveForecastSide(address, 'up').address, outstanding: 0n },
      down: { mint: round.downMint, pool: deriveForecastSide(address, 'down').address, outstanding: 0n },
    });
    expect(follower.findByMint(round.downMint)).toEqual({ round: follower.find(address), side: 'down' });
    tell(createForecastUpdate(address, createTestRound({ upOutstanding: 7n }).data, 6n));
    expect(follower.find(address)?.up.outstanding).toBe(7n);
    expect(changes).toEqual([]);
    tell(createForecastUpdate(address, createTestRound(SETTLED).data, 7n));
    expect(follower.find(address)).toMatchObject({
      outcome: 'up',
      closePrice: 10_850_000_000_001n,
      settledAt: 1_800_000_301,
    });
    tell(createForecastUpdate(address, null, 8n));
    expect(follower.find(address)).toBeNull();
    expect(follower.findByMint(round.upMint)).toBeNull();
    expect(changes).toEqual([address, address]);
    await follower.close();
  });

  it('tells of a round that was opened at another price under the same name, as after a reset of the network', async () => {
    const { address, data } = createTestRound();
    const { follower, tell, changes } = await open([createForecastUpdate(address, data, 5n)]);
    tell(createForecastUpdate(address, createTestRound({ openPrice: 10_000_000_000_000n }).data, 6n));
    expect(follower.find(address)?.openPrice).toBe(10_000_000_000_000n);
    expect(changes).toEqual([address]);
    await follower.close();
  });

  it('has no closing price for a void round', async () => {
    const { address, data } = createTestRound({ status: 'void', settledAt: 1_800_000_900n });
    const { follower } = await open([createForecastUpdate(address, data, 5n)]);
    expect(follower.find(address)).toMatchObject({ outcome: 'void', closePrice: null });
    await follower.close();
  });

  it('keeps the later state when updates come out of order, also of what is gone', async () => {
    const { address, data } = createTestRound();
    const { follower, tell } = await open([]);
    tell(createForecastUpdate(address, null, 9n));
    tell(createForecastUpdate(address, data, 8n));
    expect(follower.find(address)).toBeNull();
    tell(createForecastUpdate(address, data, 10n));
    expect(follower.find(address)).not.toBeNull();
    tell({ ...createForecastUpdate(address, null, 3n), isRollback: true });
    expect(follower.list()).toEqual([]);
    await follower.close();
  });

  it('follows the rounds of one feed alone where one is configured', async () => {
    const [mine, other] = [createTestRound(), createTestRound({ feed: OTHER_FEED })];
    const updates = [mine, other].map(({ address, data }) => createForecastUpdate(address, data, 5n));
    const { follower } = await open(updates, TEST_FEED);
    expect(follower.list().map(({ address }) => address)).toEqual([mine.address]);
    expect(follower.findByMint(other.round.upMint)).toBeNull();
    await follower.close();
  });

  it('knows the settings of the program', async () => {
    const schedule = {
      feed: TEST_FEED,
      asset: 'BTC',
      seconds: 900,
      funding: 5n,
      deviation: 1,
      halfSpread: 2,
      slope: 3,
    };
    const data = encodeForecastConfig({ operator: OTHER_FEED, schedules: [schedule] });
    const { follower, tell } = await open([createForecastUpdate(FORECAST_CONFIG, data, 5n)]);
    expect(follower.config).toEqual({ operator: OTHER_FEED, schedules: [schedule] });
    expect(follower.list()).toEqual([]);
    tell(createForecastUpdate(FORECAST_CONFIG, null, 6n));
    expect(follower.config).toBeNull();
    await follower.close();
  });

  it('treats an account that cannot be decoded as if it did not exist', async () => {
    const { address, data } = createTestRound();
    const { follower, tell, defects } = await open([createForecastUpdate(address, data, 5n)]);
    tell(createForecastUpdate(address, data.slice(0, 60), 6n));
    expect(follower.list()).toEqual([]);
    expect(defects).toEqual([`account ${address} of forecasts`]);
    await follower.close();
  });

  it('reads everything as soon as the network answers', async () => {
    const { address, data } = createTestRound();
    const { follower, timers, answer } = await open(null);
    expect(follower.unhealthy()).toContain('the node is away');
    answer([createForecastUpdate(address, data, 5n)]);
    timers.advance(1_000);
    await expect.poll(() => follower.unhealthy()).toBeNull();
    expect(follower.list()).toHaveLength(1);
    await follower.close();
    expect(timers.waiting).toBe(0);
  });

  it('has the last state of every round after any changes in any order', async () => {
    const change = fc.record({
      cell: fc.nat({ max: 2 }),
      slot: fc.bigInt({ min: 1n, max: 20n }),
      isGone: fc.boolean(),
      status: fc.constantFrom('open' as const, 'up' as const, 'void' as const),
    });
    await assertProperty(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changed) => {
        const { follower, tell } = await open([]);
        const last = new Map<Address, { readonly slot: bigint; readonly outcome: string | null }>();
        for (const { cell, slot, isGone, status } of changed) {
          const { address, data } = createTestRound({ openTime: BigInt(cell) * 300n, status });
          tell(createForecastUpdate(address, isGone ? null : data, slot));
          if (slot < (last.get(address)?.slot ?? 0n)) continue;
          last.set(address, { slot, outcome: isGone ? null : status });
        }
        const shown = [...last].filter(([, { outcome }]) => outcome !== null);
        expect(follower.list()).toHaveLength(shown.length);
        for (const [address, { outcome }] of shown)
          expect(follower.find(address)?.outcome ?? 'open').toBe(outcome);
        const opened = follower.list().map(({ openAt }) => openAt);
        expect(opened).toEqual([...opened].sort((one, other) => one - other));
        await follower.close();
      }),
      { cases: 100, seed: 43_010 },
    );
  });

  async function open(found: readonly AccountUpdate[] | null, feed: Address | null = null) {
    const timers = new ManualTimers();
    let answered = found;
    let watch: (updates: readonly AccountUpdate[]) => void = () => undefined;
    const defects: string[] = [];
    const changes: Address[] = [];
    const follower = await ForecastRoundFollower.open({
      chain: {
        slot: () => 100n,
        watchProgram: (_, onChange) => {
          watch = onChange;
          return () => undefined;
        },
        getProgramAccounts: async () => {
          if (answered === null) throw new Error('the node is away');
          return answered;
        },
      },
      feed,
      timers,
      outage: { onFailure: () => undefined, onAnswer: () => undefined },
      onDefect: (where) => defects.push(where),
    });
    follower.onChange((round) => changes.push(round));
    return {
      follower,
      timers,
      defects,
      changes,
      tell: (...updates: readonly AccountUpdate[]) => watch(updates),
      answer: (updates: readonly AccountUpdate[]) => {
        answered = updates;
      },
    };
  }
});
