import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../testing/timers.ts';
import { yieldToOtherWork } from '../../../testing/waits.ts';
import { type OwnWork, type Party, runAs } from '../../../common/party.ts';
import { ChainUnavailable } from '../../chain.ts';
import { CallPace } from './call-pace.ts';
import { openForEach } from '../../../testing/opened.ts';

/** Whose calls have begun, in order, and why others were refused. */
let began: string[];
let refused: unknown[];
const timers = openForEach(() => new ManualTimers());
const pace = openForEach(() => new CallPace({ callsPerSecond: 20, reportsPerSecond: 3, timers }));
beforeEach(setUp);

describe('CallPace', () => {
  it('lets one organisation have half of the calls of a second, and refuses at once what would wait longer than two', async () => {
    call(ACME, 100);
    await yieldToOtherWork();
    expect([began.length, refused.length]).toEqual([10, 100 - 10 - 20]);
    expect(refused[0]).toBeInstanceOf(ChainUnavailable);
    expect(refused[0]).toMatchObject({ retryAfterSeconds: 2 });
    await pass(999);
    expect(began).toHaveLength(10);
    await pass(1);
    expect(began).toHaveLength(20);
    await pass(1_000);
    expect([began.length, refused.length]).toEqual([30, 70]);
  });

  it('gives the other half to others, in turns', async () => {
    call(ACME, 30);
    call(OTHER, 5);
    await yieldToOtherWork();
    expect([count('acme'), count('other')]).toEqual([10, 5]);
    call(client(1), 30);
    await yieldToOtherWork();
    expect(began).toHaveLength(20);
    call(OTHER, 3);
    await pass(1_000);
    // 20 more, of which the one that asks for little gets all.
    expect([count('acme'), count('other'), count('203.0.113.1')]).toEqual([19, 8, 13]);
  });

  it('counts all callers without a key together', async () => {
    for (let index = 0; index < 50; index++) call(client(index), 1);
    await yieldToOtherWork();
    expect(began).toHaveLength(10);
    call(ACME, 10);
    await yieldToOtherWork();
    expect(count('acme')).toBe(10);
  });

  it('puts its own calls first, as many as half of all, and those that follow the network before them', async () => {
    call(ACME, 10);
    call(client(1), 10);
    await yieldToOtherWork();
    call(OTHER, 20);
    call('own', 30);
    call(ACME, 1, true);
    await pass(1_000);
    const next = began.slice(20);
    expect(next[0]).toBe('urgent');
    expect(next.slice(1, 11)).toEqual(Array.from({ length: 10 }, () => 'own'));
    expect(count('other')).toBe(9);
    // They are not refused, however long they wait.
    await pass(2_000);
    await pass(2_000);
    expect(count('own')).toBe(30);
  });

  it('reads reported transactions at the pace that is set for them', async () => {
    call('reports', 10);
    for (const expected of [3, 6, 9, 10]) {
      await pass(expected === 3 ? 0 : 1_000);
      expect(count('reports')).toBe(expected);
    }
  });

  it('refuses a call whose turn does not come in two seconds, because others have theirs first', async () => {
    const crowd = Array.from(
      { length: 100 },
      (_, index): Party => ({ kind: 'organisation', id: `o${index}` }),
    );
    for (const each of crowd) call(each, 1);
    await yieldToOtherWork();
    await pass(1_000);
    await pass(1_000);
    expect(began.length + refused.length).toBe(100);
    expect(began.length).toBeGreaterThanOrEqual(40);
    expect(refused.every((error) => error instanceof ChainUnavailable)).toBe(true);
  });

  it('goes on when the clock is set back', async () => {
    call(ACME, 20);
    await yieldToOtherWork();
    timers.advance(-3_600_000);
    call(ACME, 1);
    await pass(1_000);
    expect(began.length).toBeGreaterThan(10);
  });
});

const ACME: Party = { kind: 'organisation', id: 'acme' };
const OTHER: Party = { kind: 'organisation', id: 'other' };
const client = (index: number): Party => ({ kind: 'client', id: `203.0.113.${index}` });

function setUp(): void {
  began = [];
  refused = [];
}

function call(worker: Party | OwnWork, times: number, isUrgent = false): void {
  const name = typeof worker === 'string' ? worker : worker.id;
  for (let i = 0; i < times; i++) {
    runAs(worker, () => pace.turn(isUrgent)).then(
      () => began.push(isUrgent ? 'urgent' : name),
      (error: unknown) => refused.push(error),
    );
  }
}

const count = (name: string) => began.filter((each) => each === name).length;

async function pass(ms: number): Promise<void> {
  timers.advance(ms);
  await yieldToOtherWork();
}
