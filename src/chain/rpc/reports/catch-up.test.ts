import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualTimers } from '../../../testing/timers.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { ChainUnavailable } from '../../chain.ts';
import { createTestKey } from '../../../testing/chain/bank.ts';
import { type CallPolicy, RpcRefusal } from '../client/rpc-client.ts';
import { CatchUp } from './catch-up.ts';
import { Coverage } from './coverage.ts';
import { type ListedTransaction, PAGE } from './list-page.ts';
import { createTestSignature } from '../../../testing/chain/node-reports.ts';
import { openForEach } from '../../../testing/opened.ts';

describe('CatchUp', () => {
  let coverage: Coverage;
  let timers: ManualTimers;
  let now: number;
  let known: Set<string>;
  let read: string[];
  let unreadable: Set<string>;
  let notices: string[];
  let turns: number;
  let remembered: number;
  let catchUp: CatchUp;
  const node = openForEach(() => new ListingNode());
  beforeEach(setUp);

  it('reads what is missing, the oldest first and once, and closes the gap', async () => {
    list(ONE, [90, 110, 150, 199, 200, 230]);
    list(OTHER, [120, 150]);
    known.add(createTestSignature(110));
    expect(isComplete()).toBe(false);
    await look();
    expect(read).toEqual([120, 150, 199].map(createTestSignature));
    expect(isComplete()).toBe(true);
    expect(notices).toEqual([expect.stringMatching(/^the transactions from .* were read after all$/)]);
    // Two lists and three transactions, each in its turn.
    expect(turns).toBe(5);
    await look();
    expect(node.asked).toHaveLength(2);
  });

  it('does not read transactions that failed', async () => {
    list(ONE, [150], { err: { InstructionError: [0, 'Custom'] } });
    await look();
    expect(read).toEqual([]);
    expect(isComplete()).toBe(true);
  });

  it('follows a list over several pages to the beginning of the gap', async () => {
    const many = Array.from({ length: 2 * PAGE + 500 }, (_, index) => ({
      ...entry(150),
      signature: createTestSignature(10_000 + index),
    }));
    node.lists.get(ONE)?.push(...many);
    await look();
    expect(node.asked).toHaveLength(4);
    expect(read).toHaveLength(many.length);
    expect(isComplete()).toBe(true);
  });

  it('waits until the gap is settled, and leaves one alone that is older than a day', async () => {
    now = GAP.to + 10;
    await look();
    now = GAP.from + 24 * 3_600 + 1;
    await look();
    expect(node.asked).toEqual([]);
    expect(isComplete()).toBe(false);
  });

  it('leaves a gap alone whose transactions may have been counted and forgotten', async () => {
    remembered = GAP.from;
    await look();
    expect(node.asked).toEqual([]);
    expect(isComplete()).toBe(false);
  });

  it('gives up a gap with too many transactions', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => ({
      ...entry(150),
      signature: createTestSignature(10_000 + index),
    }));
    node.lists.get(ONE)?.push(...many);
    await look();
    expect(read).toEqual([]);
    expect(notices).toEqual([expect.stringMatching('stay unknown.*more than 10000')]);
    now += 600;
    const { length } = node.asked;
    await look();
    expect(node.asked).toHaveLength(length);
    expect(isComplete()).toBe(false);
  });

  it('tries three times, a minute apart, to read a transaction that the node does not return', async () => {
    list(ONE, [150, 160]);
    unreadable.add(createTestSignature(150));
    for (let second = 0; second < 300; second += 10) {
      await look();
      now += 10;
    }
    expect(read.filter((each) => each === createTestSignature(150))).toHaveLength(3);
    expect(read.filter((each) => each === createTestSignature(160))).toHaveLength(1);
    expect(notices).toEqual([
      expect.stringMatching(`stay unknown.*${createTestSignature(150)} could not be read`),
    ]);
    expect(isComplete()).toBe(false);
  });

  it.each<[string, (page: readonly unknown[]) => unknown]>([
    ['goes back to newer slots', (page) => [...page].reverse()],
    ['has a transaction twice', (page) => [...page, ...page]],
    [
      'has more than was asked for',
      () => Array.from({ length: PAGE + 1 }, (_, index) => entry(5_000 - index)),
    ],
    ['has no times', (page) => page.map((each) => ({ ...(each as object), blockTime: null }))],
    ['has a false signature', () => [entry(150, { signature: 'abc' })]],
    ['is no list', () => 'nothing'],
  ])('closes nothing when a list %s', async (_, spoil) => {
    list(ONE, [110, 150]);
    node.spoil = spoil;
    for (let minutes = 0; minutes < 5; minutes++) {
      await look();
      now += 61;
    }
    expect(read).toEqual([]);
    expect(notices).toEqual([expect.stringMatching('stay unknown')]);
    expect(node.asked).toHaveLength(3);
    expect(isComplete()).toBe(false);
  });

  it('asks no longer when every page is the same', async () => {
    const page = Array.from({ length: PAGE }, (_, index) => entry(1_190 - index));
    node.spoil = () => page;
    await look();
    expect(node.asked).toHaveLength(2);
    expect(isComplete()).toBe(false);
  });

  it('takes an empty list for no transactions only if the node keeps that time', async () => {
    for (const program of [ONE, OTHER]) node.lists.set(program, []);
    node.firstSlot = 1_101;
    await look();
    expect(isComplete()).toBe(false);
    expect(notices).toEqual([expect.stringMatching('does not keep transactions that are this old')]);
  });

  it('closes a gap before which the programs had no transactions', async () => {
    for (const program of [ONE, OTHER]) node.lists.set(program, [entry(150)]);
    node.firstSlot = 1_100;
    await look();
    expect(read).toEqual([createTestSignature(150)]);
    expect(isComplete()).toBe(true);
  });

  it.each([
    ['does not answer', new ChainUnavailable('down')],
    ['refuses the method', new RpcRefusal('no such method', -32601, null)],
    ['says what cannot be true', new OperatorError('nonsense')],
  ])('leaves the gap, and tries again, when the node %s', async (_, error) => {
    list(ONE, [150]);
    node.spoil = () => {
      throw error;
    };
    await look();
    expect(isComplete()).toBe(false);
    node.spoil = (page) => page;
    now += 61;
    await look();
    expect(isComplete()).toBe(true);
  });

  it('leaves a gap that grew while it was filled', async () => {
    list(ONE, [150]);
    node.spoil = (page) => {
      coverage.miss(GAP.to);
      return page;
    };
    await look();
    expect(isComplete()).toBe(false);
    node.spoil = (page) => page;
    await look();
    expect(isComplete()).toBe(true);
  });

  it('stops in the middle when it is closed', async () => {
    list(ONE, [150]);
    node.spoil = (page) => {
      catchUp.close();
      return page;
    };
    timers.advance(1_000);
    await vi.waitFor(() => expect(node.asked).toHaveLength(1), WAIT);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(node.asked).toHaveLength(1);
    expect(read).toEqual([]);
    expect(timers.waiting).toBe(0);
    expect(isComplete()).toBe(false);
  });

  function setUp(): void {
    for (const program of [ONE, OTHER]) node.lists.set(program, [entry(50)]);
    coverage = new Coverage();
    // Reported until 100, lost, and reported again from 200 on.
    coverage.begin(NOW - 1_000);
    coverage.lose(GAP.from + 20);
    coverage.begin(GAP.to - 10);
    timers = new ManualTimers();
    now = NOW + 300;
    known = new Set();
    read = [];
    unreadable = new Set();
    notices = [];
    turns = 0;
    remembered = Number.NEGATIVE_INFINITY;
    catchUp = new CatchUp({
      client: node,
      programs: [ONE, OTHER],
      coverage,
      timers,
      now: () => now,
      turn: async () => void turns++,
      isKnown: (each) => known.has(each),
      remembersSince: (time) => time > remembered,
      read: async (listed: ListedTransaction) => {
        read.push(listed.signature);
        if (unreadable.has(listed.signature)) return false;
        known.add(listed.signature);
        return true;
      },
      onNotice: (message) => notices.push(message),
    });
  }

  const isComplete = () => coverage.isComplete({ from: NOW, to: NOW + 250 });

  /** Lets it look for a gap once, and finish. */
  async function look(): Promise<void> {
    timers.advance(1_000);
    await vi.waitFor(() => expect(timers.waiting).toBe(1), WAIT);
  }

  function list(program: string, seconds: readonly number[], changes: object = {}): void {
    node.lists.get(program)?.push(...seconds.map((second) => entry(second, changes)));
  }
});

const [ONE, OTHER] = [createTestKey(1).address, createTestKey(2).address];
const NOW = 1_800_000_000;
const GAP = { from: NOW + 100, to: NOW + 200 };
const WAIT = { interval: 5 };

/** A transaction as a node lists it: one a second, in a slot of its own. */
function entry(second: number, changes: object = {}) {
  return {
    signature: createTestSignature(second),
    slot: 1_000 + second,
    err: null,
    blockTime: NOW + second,
    ...changes,
  };
}

/** A node that keeps a list of transactions for each program, and answers as nodes do. */
class ListingNode {
  readonly lists = new Map<string, ReturnType<typeof entry>[]>();
  firstSlot = 0;
  readonly asked: string[] = [];
  /** Changes the answer to a list. */
  spoil: (page: readonly unknown[]) => unknown = (page) => page;

  async call<T>(
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => T | Promise<T>,
    _policy?: CallPolicy,
  ): Promise<T> {
    this.asked.push(method);
    if (method === 'getFirstAvailableBlock') return read(this.firstSlot);
    if (method === 'getBlockTime') return read(NOW + Number(params[0]) - 1_000);
    const { before, limit } = params[1] as { before?: string; limit: number };
    const all = [...(this.lists.get(String(params[0])) ?? [])].reverse();
    const first = before === undefined ? 0 : all.findIndex((each) => each.signature === before) + 1;
    return read(this.spoil(all.slice(first, first + limit)));
  }
}
