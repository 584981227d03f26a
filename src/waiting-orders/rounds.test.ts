import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../testing/random.ts';
import { createTestTerms } from '../testing/waiting-orders/test-orders.ts';
import { applyOrderEvent, startOrder } from './machine.ts';
import type { OrderEvent } from './order-moves.ts';
import { findSale, type OrderSale } from './order-sale.ts';
import { computeRetryWindowMs, computeRoundAmount } from './rounds.ts';
import { NEVER, type WaitingOrder } from './waiting-order.ts';

describe('the rounds of a recurring order', () => {
  it('sell exactly the deposit, none sooner than an interval after the one before, whatever is lost, late or down', () => {
    const suite = {
      cases: 10_000,
      seed: 3_702,
      against: 'a model that counts the rounds, the time and the money',
    };
    const seen = new Map<string, number>();
    assertProperty(
      fc.property(order, fc.array(step, { maxLength: 80, size: 'max' }), (terms, steps) => {
        const world = new RoundsWorld(terms);
        for (const each of steps) world.take(each);
        world.finish();
        for (const end of world.seen) seen.set(end, (seen.get(end) ?? 0) + 1);
      }),
      suite,
    );
    // Every one of these happens often enough to be compared.
    for (const what of ['completed', 'cancelled', 'missed', 'down', 'failed', 'in parts', 'dust']) {
      expect(seen.get(what) ?? 0, what).toBeGreaterThan(countCases(suite) / 50);
    }
  });

  it.each([
    [60, 30],
    [61, 30.5],
    [3_600, 1_800],
    [86_400, 7_200],
    [31_536_000, 7_200],
  ])('that are %i seconds apart are each tried for %d seconds', (interval, window) => {
    expect(computeRetryWindowMs(interval * 1_000)).toBe(window * 1_000);
  });

  it('sell equal amounts, and the last one also what cannot be divided', () => {
    expect(computeRoundAmount(20_000_001n, 2)).toBe(10_000_000n);
    const started = openRecurring({ rounds: 2, deposit: 20_000_001n, intervalMs: 60_000 });
    expect(findSale(started, 'round')).toMatchObject({ exactly: 10_000_000n, remaining: 20_000_001n });
    const last = { ...started, remaining: 10_000_001n, rounds: { filled: 1, nextAt: BEGIN, lastAt: 1 } };
    expect(findSale(last, 'round')).toMatchObject({ exactly: null, remaining: 10_000_001n });
    expect(() => findSale(started, 'single')).toThrow(RangeError);
  });

  it('are filled from the time when they are due to the end of their window, and missed from then on', () => {
    const open = openRecurring({ rounds: 3, deposit: 30n, intervalMs: 60_000 });
    const fill = { kind: 'fill-recorded', leg: 'round', holder: 'one', leaseUntil: 0 } as const;
    expect(applyOrderEvent(open, { ...fill, at: BEGIN - 1 })).toEqual({
      ok: false,
      error: { code: 'not-due', message: `the round is due at ${BEGIN}` },
    });
    expect(applyOrderEvent(open, { ...fill, at: BEGIN }).ok).toBe(true);
    expect(applyOrderEvent(open, { ...fill, at: BEGIN + 29_999 }).ok).toBe(true);
    expect(applyOrderEvent(open, { ...fill, at: BEGIN + 30_000 }).ok).toBe(false);
    expect(applyOrderEvent(open, { kind: 'round-missed', at: BEGIN + 29_999 })).toEqual({
      ok: false,
      error: { code: 'not-missed', message: 'no round of the order was missed' },
    });
    const missed = applyOrderEvent(open, { kind: 'round-missed', at: BEGIN + 30_000 });
    expect(missed).toMatchObject({ value: { rounds: { filled: 0, nextAt: BEGIN + 60_000, lastAt: null } } });
    expect(applyOrderEvent(open, { ...fill, leg: 'single', at: BEGIN })).toMatchObject({
      error: { code: 'wrong-leg' },
    });
  });

  it('are due again an interval after the clock was put back, or two, if it was ahead when they were put off', () => {
    const intervalMs = 60_000;
    const begun = openRecurring({ rounds: 3, deposit: 30n, intervalMs });
    const open = { ...begun, rounds: { filled: 1, nextAt: 9_000_000, lastAt: 8_940_000 } };
    const miss = (at: number) => applyOrderEvent(open, { kind: 'round-missed', at });
    expect(miss(9_000_000 - 2 * intervalMs + 1)).toMatchObject({ error: { code: 'not-missed' } });
    expect(miss(9_000_000 - 2 * intervalMs)).toMatchObject({ value: { rounds: { nextAt: 8_940_000 } } });
    expect(miss(BEGIN + 1)).toMatchObject({
      value: { rounds: { filled: 1, nextAt: BEGIN + 1 + intervalMs + 19_999, lastAt: 8_940_000 } },
    });
    // The first round is due when the wallet says, however late that is.
    const first = { ...begun, rounds: { filled: 0, nextAt: BEGIN, lastAt: null } };
    expect(applyOrderEvent(first, { kind: 'round-missed', at: 1 })).toMatchObject({
      error: { code: 'not-missed' },
    });
    const missed = { ...begun, rounds: { filled: 0, nextAt: BEGIN + 10 * intervalMs, lastAt: null } };
    expect(applyOrderEvent(missed, { kind: 'round-missed', at: 1 })).toMatchObject({
      value: { rounds: { nextAt: BEGIN } },
    });
  });

  it('cannot be edited, and have no end by the clock', () => {
    const open = openRecurring({ rounds: 3, deposit: 30n, intervalMs: 60_000 });
    const { plan, expiresAt } = open;
    expect(applyOrderEvent(open, { kind: 'edited', plan, expiresAt, at: 1 })).toEqual({
      ok: false,
      error: { code: 'wrong-plan', message: 'an order time_based cannot be changed to time_based' },
    });
    expect(applyOrderEvent(open, { kind: 'expired', at: BEGIN * 1_000 })).toMatchObject({
      error: { code: 'not-expired' },
    });
  });
});

const BEGIN = 1_000_000;
const LEASE_MS = 1_000;

const order = fc.record({
  rounds: fc.integer({ min: 2, max: 6 }),
  deposit: fc.bigInt({ min: 6n, max: 1_000n }),
  intervalMs: fc.constantFrom(60_000, 61_001, 3_600_000, 86_400_000),
});
type RecurringTerms = typeof order extends fc.Arbitrary<infer T> ? T : never;

const who = { actor: fc.nat({ max: 1 }), fresh: fc.boolean() };
/** Two keepers act on what they last read, or one does all that fills a round. Times are hundredths of an interval. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('attends' as const),
      delay: fc.nat(5),
      isPart: fc.boolean(),
      isLost: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reads' as const), ...who }) },
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('fills' as const), isPart: fc.boolean(), ...who }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('misses' as const), ...who }) },
  { weight: 8, arbitrary: fc.record({ does: fc.constant('settles' as const), delay: fc.nat(5), ...who }) },
  { weight: 8, arbitrary: fc.record({ does: fc.constant('lands' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('drops' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('pays in' as const), dust: fc.bigInt(1n, 3n) }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('waits' as const), hundredths: fc.nat(120) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('is down' as const),
      hundredths: fc.integer({ min: 150, max: 3_000 }),
    }),
  },
);
type RoundStep = typeof step extends fc.Arbitrary<infer T> ? T : never;
type RoundActor = { readonly actor: number; readonly fresh: boolean };

/** The model: when each fill was made and what it took. It computes by itself when the next round is due. */
class RoundsWorld {
  readonly seen = new Set<string>();
  readonly #terms: RecurringTerms;
  #order: WaitingOrder;
  #now = BEGIN - 50;
  #due = BEGIN;
  /** Atoms in the account that are the order's, and those that strangers paid in. */
  #left: bigint;
  #dust = 0n;
  #fate: 'none' | 'signed' | 'landed' | 'gone' = 'none';
  #sale: OrderSale | null = null;
  #isPart = false;
  #input = 0n;
  /** The times at which fills were signed and settled, and what they took. */
  readonly #fills: { readonly signedAt: number; readonly settledAt: number; readonly input: bigint }[] = [];
  #signedAt = 0;
  readonly #read: WaitingOrder[];

  constructor(terms: RecurringTerms) {
    this.#terms = terms;
    this.#left = terms.deposit;
    this.#order = openRecurring(terms);
    this.#read = [this.#order, this.#order];
  }

  take(step: RoundStep): void {
    const { intervalMs } = this.#terms;
    if (step.does === 'waits') this.#now += Math.round((intervalMs * step.hundredths) / 100);
    else if (step.does === 'is down') {
      this.#now += Math.round((intervalMs * step.hundredths) / 100);
      this.seen.add('down');
    } else if (step.does === 'attends') this.#attend(step);
    else if (step.does === 'reads') this.#read[step.actor] = this.#order;
    else if (step.does === 'lands') this.#land();
    else if (step.does === 'drops') {
      if (this.#fate === 'signed') this.#fate = 'gone';
    } else if (step.does === 'pays in') {
      if (this.#left > 0n) this.#dust += step.dust;
    } else if (step.does === 'fills') this.#fill(step);
    else if (step.does === 'misses') this.#miss(step);
    else this.#settle(step, Math.round((intervalMs * step.delay) / 100));
    this.#check();
  }

  /** Ends what is on its way, and then everything that is left, as the wallet's cancellation does. */
  finish(): void {
    this.take({ does: 'lands' });
    this.take({ does: 'settles', delay: 0, actor: 0, fresh: true });
    if (this.#order.state === 'fill_success') {
      this.seen.add('completed');
      return;
    }
    expect(this.#save(0, this.#order, { kind: 'cancel-asked', at: this.#now })).toBe(true);
    expect(this.#order.remaining).toBe(this.#left);
    this.seen.add('cancelled');
  }

  /** What a keeper does that is not disturbed. */
  #attend({ delay, isPart, isLost }: RoundStep & { readonly does: 'attends' }): void {
    const by = { actor: 0, fresh: true };
    this.take({ does: 'misses', ...by });
    this.#now = Math.max(this.#now, this.#due);
    this.take({ does: 'fills', isPart, ...by });
    this.take({ does: isLost ? 'drops' : 'lands' });
    this.take({ does: 'settles', delay, ...by });
  }

  #fill({ isPart, ...by }: RoundActor & { readonly isPart: boolean }): void {
    const read = this.#readBy(by);
    const [at, from] = [this.#now, this.#order];
    const lease = { holder: `keeper ${by.actor}`, leaseUntil: at + LEASE_MS };
    const isSaved = this.#save(by.actor, read, { kind: 'fill-recorded', leg: 'round', ...lease, at });
    if (!isSaved) return;
    const { intervalMs, rounds } = this.#terms;
    hold(this.#fate === 'none', 'two fills are on their way');
    hold(at >= this.#due, 'a round was filled before it was due');
    hold(at < this.#due + computeModelWindow(intervalMs), 'a round was filled after its window');
    const last = this.#fills.at(-1);
    hold(last === undefined || at >= last.settledAt + intervalMs, 'two rounds are closer than an interval');
    const sale = findSale(from, 'round');
    // All rounds but the last sell the same, and the last one everything.
    const isLast = this.#fills.length >= rounds - 1;
    const expected = isLast ? null : this.#terms.deposit / BigInt(rounds);
    hold(sale.exactly === expected, 'a round sells another amount');
    this.#fate = 'signed';
    this.#sale = sale;
    this.#isPart = isPart;
    this.#signedAt = at;
  }

  #land(): void {
    if (this.#fate !== 'signed' || this.#sale === null) return;
    const { exactly } = this.#sale;
    const isPart = exactly === null && this.#isPart && this.#left > 1n;
    if (isPart) this.seen.add('in parts');
    this.#fate = 'landed';
    this.#input = exactly ?? (isPart ? this.#left / 2n : this.#left + this.#dust);
    if (this.#input > this.#left) {
      this.seen.add('dust');
      this.#dust = 0n;
      this.#left = 0n;
    } else this.#left -= this.#input;
  }

  #settle(by: RoundActor, delayMs: number): void {
    const read = this.#readBy(by);
    const at = this.#now;
    if (this.#fate === 'gone' && read === this.#order) {
      const isSaved = this.#save(by.actor, read, { kind: 'fill-ended', reason: 'refused', at });
      if (isSaved) this.seen.add('failed');
      if (isSaved) this.#fate = 'none';
    }
    if (this.#fate !== 'landed') return;
    const event = { kind: 'fill-landed', input: this.#input, output: 1n, delayMs, at } as const;
    if (!this.#save(by.actor, read, event)) return;
    this.#fate = 'none';
    this.#fills.push({ signedAt: this.#signedAt, settledAt: at, input: this.#input });
    if (this.#left > 0n) this.#due = at + this.#terms.intervalMs + delayMs;
  }

  #miss(by: RoundActor): void {
    const at = this.#now;
    const { intervalMs } = this.#terms;
    const isMissed = at >= this.#due + computeModelWindow(intervalMs);
    if (!this.#save(by.actor, this.#readBy(by), { kind: 'round-missed', at })) return;
    hold(isMissed, 'a round was put off that was not missed');
    while (this.#due <= at) this.#due += intervalMs;
    this.seen.add('missed');
  }

  #readBy({ actor, fresh }: RoundActor): WaitingOrder {
    return fresh ? this.#order : (this.#read[actor] as WaitingOrder);
  }

  #save(actor: number, read: WaitingOrder, event: OrderEvent): boolean {
    const result = applyOrderEvent(read, event);
    if (!result.ok || read.revision !== this.#order.revision) return false;
    this.#order = result.value;
    this.#read[actor] = result.value;
    return true;
  }

  #check(): void {
    const { deposit, rounds } = this.#terms;
    const order = this.#order;
    hold(order.rounds?.nextAt === this.#due, 'the next round is due at another time');
    if (this.#fate === 'landed') return;
    hold(order.remaining === this.#left, 'the order has another amount left');
    hold(order.received === BigInt(this.#fills.length), 'the wallet received another amount');
    const isDone = this.#left === 0n;
    hold(isDone === (order.state === 'fill_success'), 'the order ends with the last atom, and not before');
    const counted = isDone ? rounds : Math.min(this.#fills.length, rounds - 1);
    hold(order.rounds?.filled === counted, 'another number of rounds is counted');
    const sold = this.#fills.reduce((sum, { input }) => sum + input, 0n);
    hold(isDone ? sold >= deposit : sold === deposit - this.#left, 'another amount was sold');
  }
}

/** Half an interval, but at least half a minute and at most two hours. */
function computeModelWindow(intervalMs: number): number {
  if (intervalMs < 60_000) return 30_000;
  return intervalMs > 14_400_000 ? 7_200_000 : intervalMs / 2;
}

function openRecurring({ rounds, deposit, intervalMs }: RecurringTerms): WaitingOrder {
  const terms = createTestTerms(1, {
    plan: { kind: 'time_based', rounds, intervalMs, beginAt: BEGIN, band: null, earnMint: null },
    inputAmount: deposit,
    createdAt: 0,
    expiresAt: NEVER,
  });
  return { ...startOrder(terms, { holder: 'one', leaseUntil: 0 }), state: 'open', leaseHolder: null };
}

/** Costs less than `expect`, which counts when it is called a million times. */
function hold(condition: boolean, fault: string): void {
  if (!condition) throw new Error(fault);
}
