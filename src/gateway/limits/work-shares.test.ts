import type { Party } from '../../common/party.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { UNITS_PER_TURN, WorkRefused } from '../../common/work/work.ts';
import { MAX_WORK_WAIT_MS, type RequestWork, WorkShares } from './work-shares.ts';
import { openForEach } from '../../testing/opened.ts';

let callbacks: (() => void)[];
let shares: WorkShares;
/** Whose turns began, in order. */
let turns: string[];
let refusals: string[];
let refused: Party['kind'][];
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('WorkShares', () => {
  it('lets what fits a turn go on at once, and begins one turn each time that the thread has run', async () => {
    expect(shares.workOf('organisation', 'small').take(UNITS_PER_TURN)).toBeNull();
    void begin('organisation', 'a', 4);
    expect(turns).toEqual([]);
    await run(1);
    expect(turns).toEqual(['a']);
    await run(2);
    expect(turns).toEqual(['a', 'a', 'a']);
  });

  it('lets one request of a party begin at once each time that the thread has run, and no second one', async () => {
    const take = (id: string) => shares.workOf('organisation', id).take(1);
    expect(take('many')).toBeNull();
    const second = take('many');
    expect(second).not.toBeNull();
    expect(take('other')).toBeNull();
    await run(1);
    await second;
    expect(take('many')).toBeNull();
  });

  it('charges the first turn of a request to its party', async () => {
    const work = shares.workOf('organisation', 'long');
    expect(work.take(UNITS_PER_TURN)).toBeNull();
    timers.advance(10 * TURN_MS);
    await yieldToOtherWork();
    void begin('organisation', 'long', 100, work);
    void begin('organisation', 'short', 100);
    await run(8);
    expect(new Set(turns)).toEqual(new Set(['short']));
  });

  it('gives organisations equal parts of the time, however many requests one of them has', async () => {
    for (let request = 0; request < 30; request++) void begin('organisation', 'greedy', 100);
    void begin('organisation', 'modest', 100);
    await run(60);
    expect(shareOf('modest')).toBeCloseTo(1 / 2, 1);
  });

  it('counts all callers without a key together, and gives each of their addresses a turn', async () => {
    for (let client = 0; client < 10; client++) void begin('client', `192.0.2.${client}`, 100);
    void begin('organisation', 'modest', 100);
    await run(80);
    expect(shareOf('modest')).toBeCloseTo(1 / 2, 1);
    expect(new Set(turns)).toHaveLength(11);
  });

  it('lets callers without a key use half of a second, and an organisation four fifths', async () => {
    void begin('client', '192.0.2.1', 1_000);
    await run(600);
    expect(turns).toHaveLength(500 / TURN_MS + 1);
    turns.length = 0;
    timers.advance(1_000);
    void begin('organisation', 'alone', 1_000);
    await run(600);
    expect(turns.filter((id) => id === 'alone').length * TURN_MS).toBeLessThanOrEqual(800 + TURN_MS);
  });

  it('refuses a request that has waited too long for its turns, and all that it would do afterwards', async () => {
    const work = shares.workOf('client', '192.0.2.1');
    void begin('client', '192.0.2.1', 1_000, work);
    await run(400);
    const before = turns.length;
    // The thread does nothing else, but the clock goes on.
    timers.advance(MAX_WORK_WAIT_MS);
    await run(1);
    expect(refusals).toEqual(['192.0.2.1']);
    expect(refused).toEqual(['client']);
    expect(turns).toHaveLength(before);
    await expect(work.take(UNITS_PER_TURN)).rejects.toMatchObject({
      name: 'WorkRefused',
      retryAfterSeconds: 2,
    });
  });

  it('counts the time of a request once that waits for several turns at once, and ends them all', async () => {
    const work = shares.workOf('client', '192.0.2.1');
    const takes = Array.from({ length: 8 }, () => begin('client', '192.0.2.1', 2, work));
    // The first turn, which is charged, is over.
    await yieldToOtherWork();
    timers.advance(MAX_WORK_WAIT_MS / 5);
    await run(20);
    await Promise.all(takes);
    void begin('client', '192.0.2.1', 2, work);
    await run(5);
    expect(refusals).toEqual([]);
    for (let take = 0; take < 3; take++) void begin('client', 'gone', 2, work);
    work.end();
    await yieldToOtherWork();
    expect(refusals).toEqual(['gone', 'gone', 'gone']);
  });

  it('ends the work of a request that nobody waits for', async () => {
    const works: RequestWork[] = [shares.workOf('client', 'gone'), shares.workOf('client', 'stays')];
    for (const [at, work] of works.entries()) void begin('client', at === 0 ? 'gone' : 'stays', 10, work);
    await run(4);
    works[0]?.end();
    await run(20);
    expect(refusals).toEqual(['gone']);
    expect(refused).toEqual([]);
    expect(turns.filter((id) => id === 'stays')).toHaveLength(9);
  });
});

/** Milliseconds that each turn takes. */
const TURN_MS = 2;

function setUp(): void {
  callbacks = [];
  turns = [];
  refusals = [];
  refused = [];
  shares = new WorkShares({
    now: () => timers.now(),
    after: (delay, callback) => timers.after(delay, callback),
    afterOthers: (callback) => callbacks.push(callback),
    afterPromises: (callback) => void afterOtherWork(callback),
    onRefused: (kind) => refused.push(kind),
  });
}

async function afterOtherWork(callback: () => void): Promise<void> {
  await yieldToOtherWork();
  callback();
}

/** Works through so many turns, each of which takes some time of the thread. */
async function begin(
  kind: Party['kind'],
  id: string,
  count: number,
  work = shares.workOf(kind, id),
): Promise<void> {
  try {
    for (let turn = 0; turn < count; turn++) {
      await work.take(UNITS_PER_TURN);
      if (turn === 0) continue;
      turns.push(id);
      timers.advance(TURN_MS);
    }
  } catch (error) {
    if (!(error instanceof WorkRefused)) throw error;
    refusals.push(id);
  }
}

/** Lets the thread run as often as that, or until nobody waits for it. */
async function run(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await yieldToOtherWork();
    const ready = callbacks.splice(0);
    for (const callback of ready) {
      callback();
      await yieldToOtherWork();
    }
  }
}

const shareOf = (id: string) => turns.filter((each) => each === id).length / turns.length;
