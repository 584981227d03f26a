import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { DEFAULT_BREAKER } from './maker-state.ts';
import type { Ack } from '../books/quotes.ts';
import {
  MemoryAccounts,
  MemoryMakerStore,
  makerRecord,
  openTestRfq,
  snapshot,
  type TestRfq,
} from '../../testing/rfq/test-rfq.ts';
import { SequenceNumbers } from './sequence.ts';

describe('Makers: sequence numbers', () => {
  it('never accepts an accepted number again after a crash', async () => {
    const store = new MemoryMakerStore();
    const killed = await openTestRfq({ store });
    connect(killed);
    for (const sequence of [1n, 2n, 5n, 700n]) expect(await stream(killed, sequence)).toEqual({ note: null });
    const next = await openTestRfq({ store });
    connect(next);
    expect(await stream(next, 700n)).toMatchObject({ refusal: 'sequence' });
    const last = next.rfq.makers.get('maker-1')?.lastSequence ?? 0n;
    expect(last).toBeGreaterThanOrEqual(700n);
    expect(await stream(next, last)).toMatchObject({ refusal: 'sequence' });
    expect(await stream(next, last + 1n)).toEqual({ note: null });
    await next.rfq.close();
  });

  it('continues right after the last number after an orderly stop', async () => {
    const store = new MemoryMakerStore();
    const stopped = await openTestRfq({ store });
    connect(stopped);
    await stream(stopped, 41n);
    await stopped.rfq.close();
    const next = await openTestRfq({ store });
    expect(next.rfq.makers.get('maker-1')?.lastSequence).toBe(41n);
    connect(next);
    expect(await stream(next, 42n)).toEqual({ note: null });
  });

  it.each([
    ['counted', 1n],
    ['in microseconds', 4_000n],
  ])('are written down rarely when they are %s', async (_, step) => {
    const test = await openTestRfq();
    connect(test);
    const quote = quoting(test);
    const before = test.store.writes;
    let sequence = 0n;
    for (let i = 0; i < 5_000; i++) {
      test.timers.advance(4);
      sequence += step;
      expect(await quote(sequence)).toEqual({ note: null });
    }
    // 20 seconds of 250 snapshots each.
    expect(test.store.writes - before).toBeLessThan(30);
    await test.rfq.close();
  });

  it('refuses a number that cannot be written, until the store answers again', async () => {
    const test = await openTestRfq({ onDefect: () => undefined });
    connect(test);
    await expect.poll(() => test.rfq.makers.get('maker-1')?.status).toBe('prod');
    test.store.failure = new Error('the disk is full');
    expect(await stream(test, 1n)).toEqual({
      refusal: 'sequence',
      message: 'sequence_number 1 cannot be written down now: the disk is full',
    });
    test.store.failure = null;
    expect(await stream(test, 1n)).toEqual({ note: null });
    await test.rfq.close();
  });

  it('accepts only numbers that the store covers, at any rate', () => {
    const steps = fc.array(fc.tuple(fc.bigInt(1n, 1n << 40n), fc.nat(10_000), fc.boolean()), {
      maxLength: 50,
    });
    assertProperty(
      fc.property(steps, (accepted) => {
        const numbers = new SequenceNumbers(0n);
        let [sequence, now, stored] = [0n, 0, 0n];
        for (const [step, delay, extend] of accepted) {
          sequence += step;
          now += delay;
          if (extend || !numbers.covers(sequence)) {
            const done = numbers.extend(sequence, now);
            stored = numbers.valueToStore;
            done();
          }
          expect(numbers.covers(sequence)).toBe(true);
          numbers.accept(sequence);
          // Killed here, the next process starts behind everything that was accepted.
          expect(stored >= numbers.last).toBe(true);
        }
      }),
      { cases: 100, seed: SEED },
    );
  });
});

describe('Makers: scoring', () => {
  it('takes a tampering maker offline at once, records both messages, and keeps that across a restart', async () => {
    const store = new MemoryMakerStore();
    const test = await openTestRfq({ store });
    connect(test);
    await stream(test, 1n);
    test.rfq.scoring.tampered('maker-1', 'swap-1', Uint8Array.of(1), Uint8Array.of(2));
    expect([...test.rfq.ownBooks.all(test.timers.now())]).toEqual([]);
    expect(await stream(test, 2n)).toMatchObject({
      refusal: 'status',
      message:
        "the maker's status must be prod, but is offline: it returned a swap with a modified message, and only the operator can reinstate it",
    });
    await test.rfq.close();
    expect(store.transitions).toContainEqual({
      makerId: 'maker-1',
      from: 'prod',
      to: 'offline',
      at: test.timers.now(),
      cause: 'a swap came back with a modified message',
      evidence: { swapUuid: 'swap-1', sent: 'AQ==', returned: 'Ag==' },
    });
    const next = await openTestRfq({ store });
    connect(next);
    expect(await stream(next, 3n)).toMatchObject({ refusal: 'status' });
    await next.rfq.makers.reinstate('maker-1');
    expect(await stream(next, 3n)).toEqual({ note: null });
    expect(next.rfq.makers.get('maker-1')?.statistics).toMatchObject({
      accepted: 2,
      rejected: { status: 2 },
      tampered: 1,
    });
    await next.rfq.close();
  });

  it('suspends a maker below the threshold for a while, and keeps that across a restart', async () => {
    const store = new MemoryMakerStore();
    const breaker = { ...DEFAULT_BREAKER, enabled: true };
    const timers = new ManualTimers();
    const test = await openTestRfq({ store, breaker, timers });
    connect(test);
    await stream(test, 1n);
    for (let i = 0; i < 4; i++) test.rfq.scoring.filled('maker-1', `f${i}`);
    for (let i = 0; i < 6; i++) test.rfq.scoring.missed('maker-1', `m${i}`);
    test.rfq.scoring.missed('maker-1', 'm0');
    expect(test.rfq.makers.get('maker-1')).toMatchObject({ status: 'suspended' });
    expect([...test.rfq.ownBooks.all(timers.now())]).toEqual([]);
    await test.rfq.close();
    const next = await openTestRfq({ store, breaker, timers });
    connect(next);
    expect(await stream(next, 2n)).toMatchObject({
      refusal: 'status',
      message: expect.stringContaining('suspended until'),
    });
    timers.advance(600_000);
    expect(next.rfq.makers.get('maker-1')).toMatchObject({ status: 'prod' });
    expect(await stream(next, 2n)).toEqual({ note: null });
    expect(next.rfq.makers.get('maker-1')?.statistics).toMatchObject({ filled: 4, missed: 6 });
    await next.rfq.close();
  });

  it('records changes of the status, also if the process with the streams was killed', async () => {
    const store = new MemoryMakerStore();
    const killed = await openTestRfq({ store });
    connect(killed);
    await stream(killed, 1n);
    const next = await openTestRfq({ store });
    connect(next);
    await stream(next, 2n);
    expect(store.transitions.map(({ from, to, cause }) => [from, to, cause])).toEqual([
      ['offline', 'prod', 'the swap stream is live'],
      ['prod', 'offline', 'the instance that had the swap stream ended'],
      ['offline', 'prod', 'the swap stream is live'],
    ]);
  });
});

describe('Makers: two processes on one store', () => {
  it('continue from the numbers that the other accepted, when a maker moves between them', async () => {
    const [one, other] = await both();
    expect(await visit(one, 100n)).toEqual({ note: null });
    expect(await other.rfq.makers.lastSequence('maker-1')).toBe(100n);
    expect(await visit(other, 100n)).toMatchObject({ refusal: 'sequence' });
    expect(await visit(other, 101n)).toEqual({ note: null });
    expect(await one.rfq.makers.lastSequence('maker-1')).toBe(101n);
    expect(await visit(one, 101n)).toMatchObject({ refusal: 'sequence' });
    expect(await visit(one, 102n)).toEqual({ note: null });
    await one.rfq.close();
    await other.rfq.close();
    expect(one.store.states.get('maker-1')).toMatchObject({
      lastSequence: 102n,
      status: 'offline',
      statistics: { accepted: 3, rejected: { sequence: 2 } },
    });
  });

  it('do not overwrite what the owner wrote', async () => {
    const [one, other] = await both();
    connect(one);
    await stream(one, 100n);
    other.rfq.setRecords([makerRecord(other.chain, 1, { enabled: false })]);
    other.rfq.setRecords([makerRecord(other.chain)]);
    await other.rfq.close();
    expect(one.store.states.get('maker-1')).toMatchObject({ status: 'prod' });
    expect(one.store.states.get('maker-1')?.lastSequence).toBeGreaterThanOrEqual(100n);
  });

  it('apply the score that the other counted, also if a swap ends after the maker has left', async () => {
    const [one, other] = await both();
    await visit(one, 1n);
    one.rfq.scoring.missed('maker-1', 'swap-1');
    one.rfq.scoring.tampered('maker-1', 'swap-2', Uint8Array.of(1), Uint8Array.of(2));
    await expect.poll(() => one.store.states.get('maker-1')?.tampered).toBe(true);
    expect(await visit(other, 2n)).toMatchObject({ refusal: 'status' });
    await other.rfq.makers.reinstate('maker-1');
    expect(await visit(one, 2n)).toEqual({ note: null });
    expect(one.rfq.makers.get('maker-1')?.statistics).toMatchObject({ missed: 1, tampered: 1 });
  });

  it('refuse streams while the store cannot be read, and accept them afterwards', async () => {
    const [test] = await both();
    const { acquire } = test.store;
    Object.assign(test.store, { acquire: () => Promise.reject(new Error('no answer')) });
    const ends: string[] = [];
    test.rfq.swapStreams.open('maker-1', { ...PIPE, end: (code) => ends.push(code) });
    expect(await stream(test, 1n)).toMatchObject({
      refusal: 'sequence',
      message: 'the last accepted sequence_number cannot be read now: no answer',
    });
    expect(ends).toEqual(['UNAVAILABLE']);
    Object.assign(test.store, { acquire });
    connect(test);
    expect(await stream(test, 1n)).toEqual({ note: null });
  });

  async function both() {
    const store = new MemoryMakerStore();
    return [await openTestRfq({ store }), await openTestRfq({ store })] as const;
  }

  /** Opens both streams, accepts one snapshot, and closes them again. */
  async function visit(test: TestRfq, sequence: bigint): Promise<Ack> {
    const swaps = connect(test);
    const ack = await stream(test, sequence);
    test.rfq.quoteStreams.end('maker-1', 'ABORTED', 'the test moves on');
    swaps?.closed();
    return ack;
  }
});

describe('Makers.setRecords', () => {
  it('keeps makers apart, and applies their records', async () => {
    const test = await openTestRfq();
    const other = makerRecord(test.chain, 2);
    test.rfq.setRecords([other]);
    connect(test);
    await stream(test, 5n);
    expect(test.rfq.makers.get('maker-2')).toMatchObject({ lastSequence: 0n, status: 'offline' });
    test.rfq.setRecords([makerRecord(test.chain, 1, { pairs: [] }), other]);
    expect(await stream(test, 6n)).toMatchObject({ refusal: 'pair' });
    expect([...test.rfq.makers.all()]).toHaveLength(2);
    expect(test.rfq.makers.get('maker-3')).toBeNull();
  });
});

describe('Makers: inventory', () => {
  it('reads the balances of a pair once, and reads them again if the network did not answer', async () => {
    const chain = new MemoryAccounts();
    const test = await openTestRfq({ chain });
    connect(test);
    chain.failure = new Error('connection refused');
    expect(await stream(test, 1n)).toEqual({
      refusal: 'inventory',
      message: 'the network does not answer, so the balances are not known: connection refused',
    });
    chain.failure = null;
    expect(await stream(test, 1n)).toEqual({ note: null });
    const { reads } = chain;
    for (let sequence = 2n; sequence < 20n; sequence++) await stream(test, sequence);
    expect(chain.reads).toBe(reads);
  });
});

const SEED = 20_261_125;
const PIPE = {
  send: () => undefined,
  end: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  unread: () => 0,
};

/** Streams one snapshot and resolves with its ack, as soon as it is there. */
function stream(test: TestRfq, sequence: bigint): Promise<Ack> {
  return quoting(test)(sequence);
}

/** Opens one quote stream; each snapshot that is sent through it resolves with its ack. */
function quoting({ rfq, timers }: TestRfq): (sequence: bigint) => Promise<Ack> {
  let acknowledge: (ack: Ack) => void = () => undefined;
  const quotes = rfq.quoteStreams.open('maker-1', { ...PIPE, send: (ack) => acknowledge(ack) });
  return (sequence) =>
    new Promise((resolve) => {
      acknowledge = resolve;
      quotes.received(snapshot(timers.now(), { sequence }), 0);
    });
}

/** Opens the swap stream, and quotes from then on are judged. */
function connect({ rfq }: TestRfq) {
  return rfq.swapStreams.open('maker-1', PIPE);
}
