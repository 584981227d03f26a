import { describe, expect, it } from 'vitest';
import { type Metrics, NO_METRICS, type Reading, type Readings } from '../../common/ports/metrics.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { StoredMaker } from './maker.ts';
import { DEFAULT_BREAKER } from './maker-state.ts';
import { type FillVolume, MAX_MINTS, MAX_NEWEST } from './maker-trades.ts';
import { addMakerMetrics } from '../metrics.ts';
import { NEW_WEBHOOK, type WebhookStatus } from '../webhooks/conduct.ts';
import type { WebhookView } from '../webhooks/webhooks.ts';
import {
  createTestAddress,
  MemoryMakerStore,
  makerRecord,
  openTestRfq,
  type TestRfq,
  USDC,
} from '../../testing/rfq/test-rfq.ts';

describe('Rfq.trades', () => {
  it('counts the orders that a maker could have won, those that it won, and the amounts of its fills', async () => {
    const test = await openTestRfq();
    test.rfq.setRecords([makerRecord(test.chain, 2)]);
    await connect(test);
    test.rfq.trades.ordered(['maker-1', 'maker-2'], 'maker-1');
    test.rfq.trades.ordered(['maker-1'], null);
    test.rfq.trades.traded('maker-1', FILL);
    test.rfq.trades.traded('maker-1', {
      ...FILL,
      signature: 'two',
      paid: FILL.received,
      received: FILL.paid,
      microDollars: null,
    });
    expect(statisticsOf(test)).toMatchObject({ considered: 2, won: 1, volume: { microDollars: 2n ** 60n } });
    expect([...(statisticsOf(test)?.volume.mints ?? [])]).toEqual([
      [USDC, { paid: 200_000_000n, received: 200_000_000n }],
      [WRAPPED_SOL_MINT, { paid: 10n ** 18n, received: 10n ** 18n }],
    ]);
    // That one is not here: what is counted of it is reported together.
    test.timers.advance(1_000);
    await expect.poll(() => statisticsOf(test, 'maker-2')).toMatchObject({ considered: 1, won: 0 });
    await test.rfq.close();
  });

  it('writes the counts together some seconds later, exact to the atom, and keeps them across a restart', async () => {
    const store = new MemoryMakerStore();
    const test = await openTestRfq({ store });
    await connect(test);
    await expect.poll(() => store.states.get('maker-1')?.status).toBe('prod');
    const before = store.writes;
    for (let order = 0; order < 1_000; order++) test.rfq.trades.ordered(['maker-1'], 'maker-1');
    test.rfq.trades.traded('maker-1', FILL);
    expect(store.writes).toBe(before);
    test.timers.advance(10_000);
    await expect.poll(() => store.states.get('maker-1')?.statistics.won).toBe(1_000);
    expect(store.writes).toBe(before + 1);
    // As SQL keeps it.
    const kept = JSON.parse(JSON.stringify(store.states.get('maker-1')?.statistics));
    const state = store.states.get('maker-1');
    if (state === undefined) throw new Error('nothing was written');
    store.states.set('maker-1', { ...state, statistics: kept });
    const next = await openTestRfq({ store });
    await connect(next);
    // Landed again by a process that did not know that it was counted.
    next.rfq.trades.traded('maker-1', FILL);
    next.rfq.trades.traded('maker-1', { ...FILL, signature: 'another' });
    expect(statisticsOf(next)?.volume).toEqual({
      microDollars: 2n ** 61n,
      mints: new Map([
        [USDC, { paid: 400_000_000n, received: 0n }],
        [WRAPPED_SOL_MINT, { paid: 0n, received: 2n * 10n ** 18n }],
      ]),
      newest: ['one', 'another'],
    });
    await next.rfq.close();
  });

  it('continues from statistics that were written before trades were counted', async () => {
    const store = new MemoryMakerStore();
    const statistics = { accepted: 7, rejected: {}, ackLatency: [7], filled: 3, missed: 1, tampered: 0 };
    const older: StoredMaker = {
      makerId: 'maker-1',
      lastSequence: 9n,
      status: 'offline',
      tampered: false,
      suspendedUntil: null,
      outcomes: [],
      statistics,
    };
    store.states.set('maker-1', older);
    const test = await openTestRfq({ store });
    await connect(test);
    test.rfq.trades.ordered(['maker-1'], null);
    await expect
      .poll(() => statisticsOf(test))
      .toMatchObject({ accepted: 7, filled: 3, considered: 1, won: 0, volume: { microDollars: 0n } });
    await test.rfq.close();
  });

  it('counts a fill that lands just after its maker has left', async () => {
    const test = await openTestRfq();
    const read = test.store.read;
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    Object.assign(test.store, { read: (id: string) => asked.then(() => read(id)) });
    test.rfq.swapStreams.open('maker-1', PIPE)?.closed();
    test.rfq.trades.traded('maker-1', FILL);
    answer();
    await expect
      .poll(() => test.store.states.get('maker-1')?.statistics.volume?.microDollars)
      .toBe(String(2n ** 60n));
  });

  it('keeps amounts for a bounded number of mints', async () => {
    const test = await openTestRfq();
    await connect(test);
    for (let byte = 0; byte < MAX_MINTS; byte++) {
      const paid = { mint: createTestAddress(byte), atoms: 1n };
      test.rfq.trades.traded('maker-1', {
        signature: String(byte),
        paid,
        received: { ...FILL.received, atoms: 5n },
        microDollars: 1n,
      });
    }
    const volume = statisticsOf(test)?.volume;
    expect([volume?.mints.size, volume?.microDollars]).toEqual([MAX_MINTS, BigInt(MAX_MINTS)]);
    expect(volume?.newest).toHaveLength(MAX_NEWEST);
    expect(volume?.mints.get(WRAPPED_SOL_MINT)?.received).toBe(5n * BigInt(MAX_MINTS));
  });

  it('keeps a fill that is counted while a slower read of what other processes wrote is under way', async () => {
    const store = new MemoryMakerStore();
    const test = await openTestRfq({ store });
    test.rfq.trades.traded('maker-1', FILL);
    await expect.poll(() => store.states.get('maker-1')?.statistics.volume?.newest).toEqual(['one']);
    await test.rfq.makers.ownership.released('maker-1');
    const [read, saved] = [createGate(), createGate()];
    const { read: readNow, save } = store;
    let isFirst = true;
    Object.assign(store, {
      read: async (makerId: string) => {
        const found = await readNow(makerId);
        const isSlow = isFirst;
        isFirst = false;
        if (isSlow) await read.opened;
        return found;
      },
      save: async (...written: Parameters<typeof save>) => {
        saved.reached = true;
        await saved.opened;
        return save(...written);
      },
    });
    const reloading = test.rfq.makers.reload(['maker-1']);
    test.rfq.trades.traded('maker-1', { ...FILL, signature: 'two' });
    await expect.poll(() => saved.reached).toBe(true);
    read.open();
    await reloading;
    saved.open();
    await test.rfq.makers.ownership.released('maker-1');
    expect(store.states.get('maker-1')?.statistics.volume?.newest).toEqual(['one', 'two']);
    await test.rfq.makers.reload(['maker-1']);
    expect(statisticsOf(test)?.volume.newest).toEqual(['one', 'two']);
    await test.rfq.close();
  });

  it('shows the counts as metrics, with the fill rate', async () => {
    const test = await openTestRfq();
    const gauges = new Map<string, () => Readings | Promise<Readings>>();
    const gauge: Metrics['gauge'] = (name, _, read) => gauges.set(name, read);
    const { windowMs } = DEFAULT_BREAKER;
    addMakerMetrics({ ...NO_METRICS, gauge }, test.rfq, { now: () => test.timers.now(), windowMs });
    const read = (name: string) => gauges.get(`sluice_rfq_${name}`)?.();
    expect(read('fill_rate')).toEqual([]);
    await connect(test);
    test.rfq.trades.ordered(['maker-1'], 'maker-1');
    test.rfq.trades.ordered(['maker-1'], 'maker-2');
    test.rfq.trades.traded('maker-1', { ...FILL, microDollars: 1_500_000n });
    for (const swap of ['1', '2', '3']) await test.rfq.scoring.filled('maker-1', swap);
    await test.rfq.scoring.missed('maker-1', '4');
    const maker = 'maker-1';
    expect(read('orders')).toEqual([
      { labels: { maker, outcome: 'considered' }, value: 2 },
      { labels: { maker, outcome: 'won' }, value: 1 },
    ]);
    expect(read('volume_micro_dollars')).toEqual([{ labels: { maker }, value: 1_500_000 }]);
    expect(read('fill_rate')).toEqual([{ labels: { maker }, value: 0.75 }]);
    test.timers.advance(windowMs);
    expect(read('fill_rate')).toEqual([]);
  });

  it('shows the swaps and the status of a webhook in the metrics of its maker', async () => {
    const test = await openTestRfq();
    const gauges = new Map<string, () => Readings | Promise<Readings>>();
    const gauge: Metrics['gauge'] = (name, _, read) => gauges.set(name, read);
    const now = () => test.timers.now();
    const outcomes = [false, true, true, true].map((filled, index) => ({
      requestId: String(index),
      at: now() - index,
      filled,
    }));
    let status: WebhookStatus = 'prod';
    const state = { ...NEW_WEBHOOK, outcomes, filled: 3, missed: 1, excused: 2 };
    const all = () => [{ record: { makerId: 'maker-1' }, state, status } as unknown as WebhookView];
    const { makers, owners, ownBooks } = test.rfq;
    const { windowMs } = DEFAULT_BREAKER;
    addMakerMetrics({ gauge }, { makers, owners, ownBooks, webhooks: { all } }, { now, windowMs });
    const read = (name: string) =>
      ((gauges.get(`sluice_rfq_${name}`)?.() ?? []) as readonly Reading[]).map(({ labels, value }) => [
        labels.outcome ?? labels.status,
        value,
      ]);
    const statusNow = () => read('maker_status').find(([, value]) => value === 1)?.[0];
    expect(statusNow()).toBe('prod');
    status = 'suspended';
    expect(statusNow()).toBe('suspended');
    await connect(test);
    test.rfq.makers.connected('maker-1');
    expect(statusNow()).toBe('prod');
    await test.rfq.scoring.filled('maker-1', 'over its stream');
    expect(read('swaps')).toEqual([
      ['filled', 4],
      ['missed', 1],
      ['tampered', 0],
      ['excused', 2],
    ]);
    expect(read('fill_rate')).toEqual([[undefined, 0.8]]);
  });
});

/** Something that waits until the test opens it. */
function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open(), reached: false };
}

const PIPE = {
  send: () => undefined,
  end: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  unread: () => 0,
};
const FILL: FillVolume = {
  signature: 'one',
  paid: { mint: USDC, atoms: 200_000_000n },
  received: { mint: WRAPPED_SOL_MINT, atoms: 10n ** 18n },
  microDollars: 2n ** 60n,
};

async function connect({ rfq }: TestRfq) {
  const stream = rfq.swapStreams.open('maker-1', PIPE);
  await rfq.makers.acquire('maker-1');
  return stream;
}

const statisticsOf = ({ rfq }: TestRfq, id = 'maker-1') => rfq.makers.get(id)?.statistics;
