import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRows, readSection } from '../testing/page-tables.ts';
import { assertProperty, countCases } from '../testing/random.ts';
import { createTestTerms } from '../testing/waiting-orders/test-orders.ts';
import { applyOrderEvent, ENDED_STATES, startOrder, UNFINISHED_STATES } from './machine.ts';
import { ORDER_MOVES, type OrderEvent, type OrderEventKind } from './order-moves.ts';
import type { OrderPlan } from './order-plan.ts';
import { ORDER_STATES, type WaitingOrder } from './waiting-order.ts';

describe('applyOrderEvent', () => {
  it('loses and doubles no atom, whatever two keepers, a wallet and the chain do, with orders that they read before', () => {
    const suite = { cases: 10_000, seed: 3_601, against: 'a model that counts the money' };
    const seen = new Map<string, number>();
    assertProperty(
      fc.property(
        fc.bigInt({ min: 1n, max: 1_000n }),
        fc.array(step, { maxLength: 80, size: 'max' }),
        (deposit, steps) => {
          const world = new World(deposit);
          for (const each of steps) world.take(each);
          world.finish();
          const end = `${world.order.state}${world.fills > 1 ? ' in parts' : ''}`;
          seen.set(end, (seen.get(end) ?? 0) + 1);
        },
      ),
      suite,
    );
    // The sequences end in every way, so that each of them was compared.
    for (const end of [
      'fill_success',
      'fill_success in parts',
      'cancelled',
      'cancelled in parts',
      'deposit_failed',
    ]) {
      expect(seen.get(end) ?? 0, end).toBeGreaterThan(countCases(suite) / 200);
    }
  });

  it.each(ORDER_STATES)('accepts from %s exactly the events that the table has', (state) => {
    for (const event of EVENTS) {
      const { from, to } = ORDER_MOVES[event.kind];
      const order = event.kind === 'round-missed' ? startRecurringOrder() : startTestOrder();
      const result = applyOrderEvent({ ...order, state }, event);
      expect(result.ok, event.kind).toBe(from.includes(state));
      if (result.ok) {
        expect(to.length === 0 ? [state] : to).toContain(result.value.state);
        expect(result.value.revision).toBe(2);
      } else {
        expect(result.error).toEqual({
          code: 'wrong-state',
          message: `the order is in the state ${state}, and ${event.kind} needs ${from.join(' or ')}`,
        });
      }
    }
  });

  it('has the moves that the page about orders shows', () => {
    const page = readFileSync(new URL('../../docs/orders.md', import.meta.url), 'utf8');
    const list = (states: readonly string[]) => states.map((state) => `\`${state}\``).join(', ');
    expect(readRows(readSection(page, 'How an order moves'), 'event')).toEqual(
      Object.entries(ORDER_MOVES).map(([event, { from, to, when }]) => [
        `\`${event}\``,
        list(from),
        to.length === 0 ? 'the same' : list(to),
        when,
      ]),
    );
  });

  it('has no move out of an end, and none from one state with a recorded transaction to another', () => {
    for (const { from, to } of Object.values(ORDER_MOVES)) {
      for (const ended of ENDED_STATES) expect(from).not.toContain(ended);
      if (from.some((state) => UNFINISHED_STATES.some((each) => each === state))) {
        for (const state of UNFINISHED_STATES) expect(to).not.toContain(state);
      }
    }
  });

  it('lets another keeper take the lease and record a fill only after the lease has run out', () => {
    const held = { ...startTestOrder(), state: 'open' as const, leaseHolder: 'one', leaseUntil: 30 };
    for (const kind of ['taken', 'fill-recorded'] as const) {
      const lease = { kind, leg: 'single', leaseUntil: 60 } as const;
      expect(applyOrderEvent(held, { ...lease, holder: 'two', at: 29 })).toEqual({
        ok: false,
        error: { code: 'leased', message: 'one works on the order until 30' },
      });
      expect(applyOrderEvent(held, { ...lease, holder: 'two', at: 30 }).ok).toBe(true);
      expect(applyOrderEvent(held, { ...lease, holder: 'one', at: 29 }).ok).toBe(true);
    }
  });

  it('takes no notice of a lease that was taken before the clock was put back', () => {
    const held = {
      ...startTestOrder(),
      state: 'executing' as const,
      leaseHolder: 'one',
      leaseUntil: 300_030,
    };
    const taken = { kind: 'taken', holder: 'two', leaseUntil: 60 } as const;
    expect(applyOrderEvent(held, { ...taken, at: 30 }).ok).toBe(false);
    expect(applyOrderEvent(held, { ...taken, at: 29 }).ok).toBe(true);
  });

  it('lets the wallet cancel an order on which a keeper works, whose fill is then refused', () => {
    const held = { ...startTestOrder(), state: 'open' as const, leaseHolder: 'one', leaseUntil: 30 };
    const cancelled = apply(held, { kind: 'cancel-asked', at: 1 });
    expect(cancelled).toMatchObject({
      state: 'ready_to_cancel',
      leaseHolder: null,
      leaseUntil: 0,
      revision: 2,
    });
    const fill = applyOrderEvent(cancelled, {
      kind: 'fill-recorded',
      leg: 'single',
      holder: 'one',
      leaseUntil: 60,
      at: 2,
    });
    expect(fill).toMatchObject({ ok: false, error: { code: 'wrong-state' } });
  });

  it('expires an order and records a fill at no common time', () => {
    const order = { ...startTestOrder(), state: 'open' as const, expiresAt: 100 };
    const fill = { kind: 'fill-recorded', leg: 'single', holder: 'one', leaseUntil: 500 } as const;
    expect(applyOrderEvent(order, { ...fill, at: 99 }).ok).toBe(true);
    expect(applyOrderEvent(order, { kind: 'expired', at: 99 })).toEqual({
      ok: false,
      error: { code: 'not-expired', message: 'the order expires at 100, which is later' },
    });
    expect(applyOrderEvent(order, { ...fill, at: 100 })).toEqual({
      ok: false,
      error: { code: 'expired', message: 'the order expired at 100' },
    });
    expect(apply(order, { kind: 'expired', at: 100 })).toMatchObject({ state: 'expired', expiredAt: 100 });
  });

  it('puts off the next fill after a failed one, from a second up to ten minutes, and begins again after a success', () => {
    let order: WaitingOrder = { ...startTestOrder(), state: 'open', expiresAt: 1e9 };
    const delays: number[] = [];
    for (let at = 1; at <= 12; at++) {
      order = apply(order, { kind: 'fill-recorded', leg: 'single', holder: 'one', leaseUntil: 0, at });
      order = apply(order, { kind: 'fill-ended', reason: 'price', at });
      delays.push(order.retryAt - at);
    }
    expect(delays).toEqual([1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 64e3, 128e3, 256e3, 512e3, 600e3, 600e3]);
    expect(order).toMatchObject({ failures: 12, waitsFor: 'price', triggeredAt: 1, transactions: 13 });
    order = apply(order, { kind: 'fill-recorded', leg: 'single', holder: 'one', leaseUntil: 0, at: 20 });
    order = apply(order, { kind: 'fill-landed', delayMs: 0, input: 1n, output: 5n, at: 20 });
    expect(order).toMatchObject({ state: 'open', failures: 0, retryAt: 0, waitsFor: null, received: 5n });
  });

  it('counts no more than was deposited when strangers paid into the account', () => {
    const order = { ...startTestOrder(), state: 'executing' as const };
    const filled = apply(order, {
      kind: 'fill-landed',
      delayMs: 0,
      input: order.inputAmount + 7n,
      output: 5n,
      at: 1,
    });
    expect(filled).toMatchObject({ state: 'fill_success', remaining: 0n, received: 5n });
  });

  it.each([
    [0n, 1n],
    [-1n, 1n],
    [1n, -1n],
  ])('refuses a fill of %s atoms for %s', (input, output) => {
    const order = { ...startTestOrder(), state: 'executing' as const };
    expect(applyOrderEvent(order, { kind: 'fill-landed', delayMs: 0, input, output, at: 1 })).toEqual({
      ok: false,
      error: { code: 'invalid-amount', message: `a fill cannot take ${input} atoms and pay ${output}` },
    });
  });

  it('edits an order until it expires, on which a keeper works that can then record no fill', () => {
    const held = {
      ...startTestOrder(),
      state: 'open' as const,
      leaseHolder: 'one',
      leaseUntil: 30,
      failures: 3,
    };
    const plan = { ...createTestTerms(1).plan, triggerPrice: 7 } as OrderPlan;
    const edit = { kind: 'edited', plan, expiresAt: 500, at: EXPIRES_AT - 1 } as const;
    const edited = apply(held, edit);
    expect(edited).toMatchObject({ plan, expiresAt: 500, failures: 0, leaseHolder: null, revision: 2 });
    expect(applyOrderEvent(held, { ...edit, at: EXPIRES_AT })).toEqual({
      ok: false,
      error: { code: 'expired', message: 'the order expired at 400' },
    });
    expect(applyOrderEvent(held, { ...edit, expiresAt: 399 })).toEqual({
      ok: false,
      error: { code: 'expired', message: 'the new end 399 has passed' },
    });
    expect(applyOrderEvent({ ...held, state: 'executing' }, edit)).toMatchObject({
      error: { code: 'wrong-state' },
    });
  });

  it.each(['entry', 'take_profit', 'round'] as const)(
    'refuses to count a fill that belongs to the leg %s of an order without such a leg',
    (filledBy) => {
      const order = { ...startTestOrder(), state: 'executing' as const, filledBy };
      expect(
        applyOrderEvent(order, { kind: 'fill-landed', delayMs: 0, input: 1n, output: 1n, at: 1 }),
      ).toEqual({
        ok: false,
        error: { code: 'wrong-leg', message: `the fill belongs to the leg ${filledBy}, which is not live` },
      });
    },
  );

  it('never dates a change before the last one', () => {
    const order = { ...startTestOrder(), updatedAt: 50 };
    expect(apply(order, { kind: 'deposit-landed', at: 40 }).updatedAt).toBe(50);
    expect(apply(order, { kind: 'deposit-landed', at: 60 }).updatedAt).toBe(60);
  });
});

const LEASE_MS = 30;
const EXPIRES_AT = 400;

/** One event of each kind that its own conditions allow. */
const EVENTS: readonly OrderEvent[] = Object.values({
  'deposit-landed': { kind: 'deposit-landed', at: 1 },
  'deposit-ended': { kind: 'deposit-ended', at: 1 },
  taken: { kind: 'taken', holder: 'one', leaseUntil: 2, at: 1 },
  'fill-recorded': { kind: 'fill-recorded', leg: 'single', holder: 'one', leaseUntil: 2, at: 1 },
  'fill-landed': { kind: 'fill-landed', delayMs: 0, input: 1n, output: 1n, at: 1 },
  'fill-ended': { kind: 'fill-ended', reason: 'price', at: 1 },
  'put-off': { kind: 'put-off', waitsFor: 'gas', retryAt: 2, at: 1 },
  expired: { kind: 'expired', at: EXPIRES_AT },
  'round-missed': { kind: 'round-missed', at: 1e9 },
  edited: { kind: 'edited', plan: createTestTerms(1).plan, expiresAt: EXPIRES_AT, at: 1 },
  'cancel-asked': { kind: 'cancel-asked', at: 1 },
  'withdrawal-recorded': { kind: 'withdrawal-recorded', holder: 'one', leaseUntil: 2, at: 1 },
  'withdrawal-landed': { kind: 'withdrawal-landed', at: 1 },
  'withdrawal-ended': { kind: 'withdrawal-ended', at: 1 },
} as const satisfies { readonly [Kind in OrderEventKind]: OrderEvent & { readonly kind: Kind } });

/** Who acts, and whether it reads the order first. */
const who = { actor: fc.nat({ max: 2 }), fresh: fc.boolean() };

/** Two keepers and the wallet act on what they last read, which may be old. The chain lands and drops, and time passes. */
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constant('reads' as const), ...who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('takes' as const), ...who }) },
  {
    weight: 9,
    arbitrary: fc.record({ does: fc.constant('fills' as const), part: fc.constantFrom(1n, 2n, 4n), ...who }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('puts off' as const), ...who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('expires' as const), ...who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancels' as const), ...who }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('withdraws' as const), ...who }) },
  { weight: 9, arbitrary: fc.record({ does: fc.constant('settles' as const), ...who }) },
  { weight: 9, arbitrary: fc.record({ does: fc.constant('lands' as const), dust: fc.bigInt(0n, 2n) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('drops' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('waits' as const), ms: fc.nat({ max: 2 * LEASE_MS }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A transaction that was recorded. `signed` may land at any time, and only what the chain shows is known of the others. */
interface Recorded {
  readonly kind: 'deposit' | 'fill' | 'withdrawal';
  readonly amount: bigint;
  fate: 'signed' | 'landed' | 'gone';
  input: bigint;
}

/** The model: where each atom is, and every transaction that was ever signed. It knows nothing of states. */
class World {
  order: WaitingOrder;
  fills = 0;
  #now = 1;
  readonly #deposit: bigint;
  #wallet: bigint;
  #vault = 0n;
  #spent = 0n;
  #returned = 0n;
  #dust = 0n;
  #isCancelled = false;
  readonly #recorded: Recorded[];
  readonly #read: WaitingOrder[];

  constructor(deposit: bigint) {
    this.#deposit = deposit;
    this.#wallet = deposit;
    const terms = { ...createTestTerms(1), inputAmount: deposit, expiresAt: EXPIRES_AT, createdAt: 1 };
    this.order = startOrder(terms, { holder: 'actor 0', leaseUntil: LEASE_MS });
    this.#recorded = [{ kind: 'deposit', amount: deposit, fate: 'signed', input: 0n }];
    this.#read = [this.order, this.order, this.order];
    this.#check();
  }

  take(step: Step): void {
    if (step.does === 'waits') this.#now += step.ms;
    else if (step.does === 'lands') this.#land(step.dust);
    else if (step.does === 'drops') this.#drop();
    else if (step.does === 'reads') this.#read[step.actor] = this.order;
    else this.#act(step);
    this.#check();
  }

  /** Lets everything that is on its way end, the wallet cancel, and the withdrawal land, as an attentive wallet can. */
  finish(): void {
    const all = ['settles', 'cancels', 'withdraws', 'settles'] as const;
    for (const does of ['settles', ...all]) {
      this.take({ does: 'waits', ms: LEASE_MS });
      this.take({ does, actor: 0, fresh: true } as Step);
      this.take({ does: 'lands', dust: 0n });
      this.take({ does: 'settles', actor: 0, fresh: true });
    }
    expect(ENDED_STATES).toContain(this.order.state);
    expect(this.#vault).toBe(0n);
  }

  /** What an actor does with the order that it read last. Its change is saved only if nothing was saved since. */
  #act(step: Exclude<Step, { does: 'waits' | 'lands' | 'drops' | 'reads' }>): void {
    const read = step.fresh ? this.order : (this.#read[step.actor] as WaitingOrder);
    const lease = { holder: `actor ${step.actor}`, leaseUntil: this.#now + LEASE_MS };
    const at = this.#now;
    if (step.does === 'takes') this.#save(step.actor, read, { kind: 'taken', ...lease, at });
    if (step.does === 'puts off') {
      this.#save(step.actor, read, { kind: 'put-off', waitsFor: 'gas', retryAt: at, at });
    }
    if (step.does === 'expires') this.#save(step.actor, read, { kind: 'expired', at });
    if (step.does === 'cancels') this.#save(step.actor, read, { kind: 'cancel-asked', at });
    if (step.does === 'fills') {
      const amount = step.part === 1n ? read.remaining : read.remaining / step.part;
      this.#save(
        step.actor,
        read,
        { kind: 'fill-recorded', leg: 'single', ...lease, at },
        { kind: 'fill', amount },
      );
    }
    if (step.does === 'withdraws') {
      const event = { kind: 'withdrawal-recorded', ...lease, at } as const;
      this.#save(step.actor, read, event, { kind: 'withdrawal', amount: read.remaining });
    }
    if (step.does === 'settles') this.#settle(step.actor, read);
  }

  /** Tells the machine what the chain shows of the newest transaction of the order that was read. */
  #settle(actor: number, read: WaitingOrder): void {
    const recorded = this.#recorded[read.transactions - 1] as Recorded;
    const at = this.#now;
    if (recorded.fate === 'signed') return;
    if (recorded.fate === 'gone') {
      const ended = { kind: `${recorded.kind}-ended`, reason: 'price', at } as OrderEvent;
      this.#save(actor, read, ended);
      return;
    }
    const landed = { kind: `${recorded.kind}-landed`, input: recorded.input, output: 3n, at } as OrderEvent;
    this.#save(actor, read, landed);
  }

  #save(
    actor: number,
    read: WaitingOrder,
    event: OrderEvent,
    signs?: Pick<Recorded, 'kind' | 'amount'>,
  ): void {
    const result = applyOrderEvent(read, event);
    if (!result.ok || read.revision !== this.order.revision) return;
    if (ENDED_STATES.some((state) => state === this.order.state)) throw new Error('an ended order changed');
    this.order = result.value;
    this.#read[actor] = result.value;
    if (event.kind === 'cancel-asked') this.#isCancelled = true;
    if (signs?.kind === 'fill') {
      hold(!this.#isCancelled, 'a fill was signed after the wallet had cancelled');
      hold(this.#now < EXPIRES_AT, 'a fill was signed after the order had expired');
    }
    if (signs?.kind === 'withdrawal')
      hold(this.#isCancelled, 'a withdrawal was signed that nobody had asked for');
    if (signs !== undefined) this.#recorded.push({ ...signs, fate: 'signed', input: 0n });
  }

  /** The chain executes everything that was signed and can land. A fill of nothing fails. */
  #land(dust: bigint): void {
    for (const recorded of this.#recorded.filter(({ fate }) => fate === 'signed')) {
      if (recorded.kind === 'fill' && recorded.amount === 0n) {
        recorded.fate = 'gone';
        continue;
      }
      recorded.fate = 'landed';
      this.#dust += dust;
      if (recorded.kind === 'deposit') {
        this.#wallet -= recorded.amount;
        this.#vault += recorded.amount;
      } else if (recorded.kind === 'withdrawal') {
        this.#returned += recorded.amount;
        this.#vault -= recorded.amount;
      } else {
        this.fills += 1;
        this.#spent += recorded.amount;
        this.#vault -= recorded.amount;
        // A fill of everything takes what strangers paid into the account, too.
        const isAll = this.#vault === 0n;
        recorded.input = recorded.amount + (isAll ? this.#dust : 0n);
      }
    }
  }

  #drop(): void {
    for (const recorded of this.#recorded) if (recorded.fate === 'signed') recorded.fate = 'gone';
  }

  #check(): void {
    const { order } = this;
    const live = this.#recorded.filter(({ fate }) => fate === 'signed');
    hold(live.length <= 1, 'two transactions of the order are on their way');
    hold(order.transactions === this.#recorded.length, 'a transaction is not counted');
    hold(this.#vault >= 0n && this.#wallet >= 0n, 'more was taken than there is');
    hold(this.#spent <= this.#deposit, 'more was spent than deposited');
    const everywhere = this.#wallet + this.#vault + this.#spent + this.#returned;
    hold(everywhere === this.#deposit, 'an atom is lost or doubled');
    if (UNFINISHED_STATES.some((state) => state === order.state)) return;
    // Nothing is on its way, so the order says exactly what is in the vault or was returned.
    hold(live.length === 0, 'a transaction is on its way that the state does not show');
    hold(order.remaining === this.#deposit - this.#spent, 'the order has another amount left');
    const { state } = order;
    if (state === 'deposit_failed')
      hold(this.#wallet === this.#deposit, 'the failed deposit is not in the wallet');
    else if (state === 'cancelled') hold(this.#returned === order.remaining, 'the rest was not returned');
    else hold(this.#vault === order.remaining, 'the rest is not in the vault');
    if (state === 'fill_success') hold(this.#spent === this.#deposit, 'the filled order is not all spent');
  }
}

/** Costs less than `expect`, which counts when it is called a million times. */
function hold(condition: boolean, fault: string): void {
  if (!condition) throw new Error(fault);
}

function startTestOrder(): WaitingOrder {
  const terms = { ...createTestTerms(1), createdAt: 0, expiresAt: EXPIRES_AT };
  return { ...startOrder(terms, { holder: 'one', leaseUntil: 0 }), leaseHolder: null };
}

function startRecurringOrder(): WaitingOrder {
  const rounds = { rounds: 2, intervalMs: 60_000, beginAt: 1, band: null, earnMint: null } as const;
  const terms = createTestTerms(1, { plan: { kind: 'time_based', ...rounds } });
  return startOrder(terms, { holder: 'one', leaseUntil: 0 });
}

function apply(order: WaitingOrder, event: OrderEvent): WaitingOrder {
  const result = applyOrderEvent(order, event);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
