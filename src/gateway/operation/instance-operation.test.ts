import { describe, expect, it } from 'vitest';
import type { NodeReading } from '../../chain/node-reading.ts';
import type { WatchedBudget, WatchedWallet } from '../../common/ports/watched-parts.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { InstanceOperation, type OperationOptions } from './instance-operation.ts';
import type { PartState } from './part-watch.ts';

describe('InstanceOperation', () => {
  it('works while only optional parts do not', async () => {
    const parts = [part('database', null), part('keeper', 'it waits', true)];
    expect(await open({ parts: watch(parts) }).read()).toMatchObject({
      works: true,
      parts: [
        { name: 'database', works: true, reason: null },
        { name: 'keeper', works: false, reason: 'it waits' },
      ],
    });
    const broken = [part('database', 'it is gone')];
    expect(await open({ parts: watch(broken) }).read()).toMatchObject({ works: false });
  });

  it('is not known to work before each part was checked that must', async () => {
    const checked = [part('keeper', null, true)];
    expect(await open({ parts: watch(checked, false) }).read()).toMatchObject({ works: false });
  });

  it('answers while a store and a budget hang, and says what is not known', async () => {
    const timers = new ManualTimers();
    const hangs = () => new Promise<never>(() => undefined);
    const operation = open({
      timers,
      stores: [store('database', hangs), store('valkey', async () => 4_096)],
      watched: { ...NOTHING, wallets: [wallet('sponsor')], budgets: [budget('swaps', hangs)] },
      countLandings: hangs,
    });
    const read = operation.read();
    await expect.poll(() => timers.waiting).toBeGreaterThan(2);
    timers.advance(500);
    expect(await read).toMatchObject({
      stores: [
        { name: 'database', bytes: null, latencyMicros: null, readAt: null },
        { name: 'valkey', bytes: 4_096 },
      ],
      wallets: [{ budgets: [{ spent: null, readAt: null }], lastsSeconds: null }],
      landings: null,
    });
  });

  it('shows a wallet that pays for several things once, with all its budgets and how long it lasts', async () => {
    const own: Partial<WatchedBudget> = { window: 'hour', held: () => 7n };
    const watched = {
      ...NOTHING,
      wallets: [
        wallet('sponsor'),
        wallet('gas wallet'),
        { ...wallet('house'), address: 'other', lamports: () => null },
      ],
      budgets: [
        budget('swaps', async () => 36n, own),
        budget('fills', async () => 0n, { ...own, held: () => null }),
      ],
    };
    const { wallets } = await open({ watched }).read();
    expect(wallets).toMatchObject([
      {
        names: ['sponsor', 'gas wallet'],
        lamports: '50',
        lastsSeconds: '5000',
        budgets: [
          { name: 'swaps', spent: '36', limit: '100', held: '7' },
          { name: 'fills', spent: '0', held: null },
        ],
      },
      { names: ['house'], lamports: null, lastsSeconds: null, budgets: [] },
    ]);
  });

  it('shows the slots of the node that they come from, and the calls to every outside node', async () => {
    const reading: NodeReading = {
      calls: 12,
      failures: 2,
      lastFailure: { at: 5, reason: 'the RPC answered getSlot with HTTP 503' },
      waiting: 1,
      pausedUntil: null,
      webSocket: { isUp: false, since: 4, reason: 'it was closed' },
    };
    const nodes = [
      { name: 'rpc', host: 'rpc.example.com', meaning: '', isSource: true, read: () => reading },
      { name: 'send-1', host: 'send.example.com', meaning: '', isSource: false, read: () => null },
    ];
    expect((await open({ nodes }).read()).nodes).toMatchObject([
      {
        host: 'rpc.example.com',
        slots: { processed: '9', confirmed: '8', finalized: '7', blockhashAgeMs: 250 },
        calls: { sent: 12, failed: 2, waiting: 1, lastFailure: reading.lastFailure },
        webSocket: reading.webSocket,
      },
      { slots: null, calls: null, webSocket: null },
    ]);
  });

  it('shows an instance that knows no blockhash yet', async () => {
    const chain = {
      slot: () => 0n,
      recentBlockhash: () => {
        throw new Error('no blockhash is known yet');
      },
    };
    const nodes = [{ name: 'rpc', host: 'h', meaning: '', isSource: true, read: () => null }];
    expect((await open({ chain, nodes }).read()).nodes[0]?.slots?.blockhashAgeMs).toBeNull();
  });
});

const NOTHING = { queues: [], streams: [], wallets: [], budgets: [], reserves: [] };
const SLOTS = { processed: 9n, confirmed: 8n, finalized: 7n };

function open(options: Partial<OperationOptions> = {}): InstanceOperation {
  const timers = options.timers ?? new ManualTimers();
  return new InstanceOperation({
    facts: { name: 'one', version: '1', startedAt: 0, network: 'rpc', isKeeper: true, isShared: false },
    parts: watch([]),
    stores: [],
    nodes: [],
    chain: {
      slot: (commitment) => SLOTS[commitment],
      recentBlockhash: () => ({
        blockhash: SYSTEM_PROGRAM,
        bytes: new Uint8Array(32),
        lastValidBlockHeight: 1n,
        slot: 1n,
        fetchedAt: timers.now() - 250,
      }),
    },
    watched: NOTHING,
    countLandings: async () => new Map(),
    stopwatch: () => 0,
    timers,
    ...options,
  });
}

function watch(states: readonly PartState[], isChecked = true): OperationOptions['parts'] {
  return { states, changes: [], isChecked };
}

function part(name: string, reason: string | null, optional = false): PartState {
  return { name, reason, optional, runbook: 'runbooks', since: 1, checkedAt: 2, tookMs: 3 };
}

function store(name: string, measure: () => Promise<number | null>) {
  return { name, kind: 'SQLite', part: name, meaning: '', measure } as const;
}

function wallet(name: string): WatchedWallet {
  return { name, address: 'one', meaning: `${name}.`, lamports: () => 50n };
}

function budget(
  name: string,
  readSpent: () => Promise<bigint>,
  rest: Partial<WatchedBudget> = {},
): WatchedBudget {
  return {
    name,
    wallet: 'one',
    window: 'day',
    limit: 100n,
    limitOfOne: null,
    atLimit: '',
    held: () => null,
    readSpent,
    ...rest,
  };
}
