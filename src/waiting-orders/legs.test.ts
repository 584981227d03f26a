import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bps } from '../solana/units.ts';
import { assertProperty, countCases } from '../testing/random.ts';
import { createTestTerms } from '../testing/waiting-orders/test-orders.ts';
import {
  computeTrailingTrigger,
  createTrailingPlan,
  findEditFault,
  listTriggers,
  moveWatermark,
} from './legs.ts';
import { applyOrderEvent, startOrder } from './machine.ts';
import type { OrderEvent } from './order-moves.ts';
import { ORDER_LEGS, type OrderLeg, type OtocoPlan, type PricePlan, type SinglePlan } from './order-plan.ts';
import { findSale, type OrderSale } from './order-sale.ts';
import type { WaitingOrder } from './waiting-order.ts';

describe('the legs of an order', () => {
  it('sell no atom twice, exits nothing before the entry, and watermarks only follow the market, whatever is edited', () => {
    const suite = { cases: 10_000, seed: 3_703, against: 'a model of two accounts, two legs and a market' };
    const seen = new Map<string, number>();
    assertProperty(
      fc.property(terms, fc.array(step, { maxLength: 80, size: 'max' }), (given, steps) => {
        const world = new LegsWorld(given);
        for (const each of steps) world.take(each);
        world.finish();
        for (const what of world.seen) seen.set(what, (seen.get(what) ?? 0) + 1);
      }),
      suite,
    );
    // Every one of these happens often enough to be compared.
    for (const what of SEEN) expect(seen.get(what) ?? 0, what).toBeGreaterThan(countCases(suite) / 100);
  });

  it('of an otoco order are its entry until everything is bought, and then its exits', () => {
    const waiting = openOrder({ kind: 'otoco', deposit: 10n });
    expect(listTriggers(waiting)).toEqual([
      { leg: 'entry', mint: OUTPUT, condition: 'below', triggerPrice: 100, slippageBps: 10 },
    ]);
    const bought = { ...waiting, remaining: 0n, bought: 7n, unsold: 7n };
    expect(listTriggers(bought)).toEqual([
      { leg: 'take_profit', mint: OUTPUT, condition: 'above', triggerPrice: 120, slippageBps: 20 },
      { leg: 'stop_loss', mint: OUTPUT, condition: 'below', triggerPrice: 80, slippageBps: null },
    ]);
    const { vault, wallet } = waiting;
    expect(findSale(waiting, 'entry')).toMatchObject({
      vault,
      wallet,
      account: INPUT_ACCOUNT,
      remaining: 10n,
    });
    expect(findSale(waiting, 'entry')).toMatchObject({ outputAccount: OUTPUT_ACCOUNT, isProtective: false });
    expect(findSale(bought, 'stop_loss')).toMatchObject({
      account: OUTPUT_ACCOUNT,
      inputMint: OUTPUT,
      outputMint: INPUT,
      outputAccount: null,
      remaining: 7n,
      exactly: null,
      isProtective: true,
    });
    expect(findSale(bought, 'take_profit')).toMatchObject({ slippageBps: 20, isProtective: false });
    expect(() => findSale(bought, 'entry')).toThrow(RangeError);
    expect(() => findSale(bought, 'round')).toThrow(RangeError);
  });

  it('trail a watermark by their distance, as a public sample shows', () => {
    expect(computeTrailingTrigger('above', { bps: bps(1_000), watermark: 75.028 })).toBeCloseTo(82.5308, 10);
    expect(computeTrailingTrigger('below', { bps: bps(1_000), watermark: 75.028 })).toBeCloseTo(67.5252, 10);
    expect(computeTrailingTrigger('below', { bps: bps(9_000), watermark: 10 })).toBe(1);
  });

  it.each([Number.NaN, 0, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'do not follow %s, which is no price',
    (price) => {
      for (const kind of ['trails below', 'trails above'] as const) {
        expect(moveWatermark(openOrder({ kind, deposit: 1n }).plan as SinglePlan, price)).toBeNull();
      }
    },
  );

  it('say why an edit is refused', () => {
    const fixed = openOrder({ kind: 'fixed', deposit: 1n });
    const trails = openOrder({ kind: 'trails below', deposit: 1n });
    const oco = openOrder({ kind: 'oco', deposit: 1n });
    const otoco = { ...openOrder({ kind: 'otoco', deposit: 1n }), remaining: 0n, bought: 1n, unsold: 1n };
    const [single, trailing] = [fixed.plan as SinglePlan, trails.plan as SinglePlan];
    const pair = otoco.plan as OtocoPlan;
    const crossed = { ...oco.plan, stopLoss: { triggerPrice: 120, slippageBps: null } } as PricePlan;
    expect(findEditFault(fixed, oco.plan)).toBe('an order single cannot become oco');
    expect(findEditFault(fixed, { ...single, triggerMint: INPUT })).toBe(
      `the price of ${OUTPUT} is watched, and no other`,
    );
    expect(findEditFault(fixed, { ...single, condition: 'above' })).toBe('the order waits for a price below');
    expect(findEditFault(fixed, { ...single, trailing: { bps: bps(50), watermark: 1 } })).toBe(
      'an order at a fixed price cannot trail',
    );
    expect(findEditFault(trails, { ...trailing, trailing: null })).toBe(
      'an order that trails cannot have a fixed price',
    );
    expect(findEditFault(trails, createTrailingPlan(trailing, { bps: bps(50), watermark: 90 }))).toBe(
      'the watermark is 100, and only the market moves it',
    );
    expect(findEditFault(trails, { ...trailing, triggerPrice: 1 })).toBe(
      'the price that trails is 90, and not 1',
    );
    expect(findEditFault(oco, crossed)).toBe(
      'the profit is taken at 120, which is not above 120, where the loss is stopped',
    );
    expect(findEditFault(otoco, { ...pair, triggerPrice: 1 })).toBe(
      'the entry is filled, and can no longer be changed',
    );
    expect(findEditFault(otoco, { ...pair, outputAccount: INPUT_ACCOUNT })).toBe(
      `the order buys into ${OUTPUT_ACCOUNT}`,
    );
    for (const order of [fixed, trails, oco, otoco]) expect(findEditFault(order, order.plan)).toBeNull();
  });
});

const { account: INPUT_ACCOUNT, inputMint: INPUT, outputMint: OUTPUT } = createTestTerms(1);
const OUTPUT_ACCOUNT = createTestTerms(2).account;
const EXPIRES_AT = 200;
const LEASE_MS = 30;
const KINDS = ['fixed', 'trails below', 'trails above', 'oco', 'otoco'] as const;
const EDITS = [
  'prices',
  'slippage',
  'distance',
  'end',
  'kind',
  'mint',
  'condition',
  'account',
  'watermark',
  'trailing',
  'crossed',
] as const;
const SEEN = [
  'filled',
  'cancelled',
  'expired',
  'bought nothing',
  'in parts',
  'dust',
  'one exit in parts',
  'moved',
  'edited',
  'exit after entry',
];

const terms = fc.record({ kind: fc.constantFrom(...KINDS), deposit: fc.bigInt({ min: 1n, max: 1_000n }) });
type LegTerms = typeof terms extends fc.Arbitrary<infer T> ? T : never;

const who = { actor: fc.nat({ max: 2 }), fresh: fc.boolean() };
/** Two keepers and the wallet act on what they last read, which may be old. The chain lands and drops, and the market moves. */
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reads' as const), ...who }) },
  {
    weight: 9,
    arbitrary: fc.record({
      does: fc.constant('fills' as const),
      leg: fc.constantFrom(...ORDER_LEGS),
      isPart: fc.boolean(),
      ...who,
    }),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('settles' as const), ...who }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('lands' as const), rate: fc.bigInt(0n, 3n) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('drops' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('pays in' as const), isOutput: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('edits' as const),
      what: fc.constantFrom(...EDITS),
      by: fc.integer({ min: 1, max: 15 }),
      ...who,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('trades' as const), price: fc.integer({ min: 50, max: 200 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('expires' as const), ...who }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('waits' as const), ms: fc.nat(2 * LEASE_MS) }) },
);
type LegStep = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Does<Kind extends LegStep['does']> = LegStep & { readonly does: Kind };

/** A token account of the vault: what is the order's, and what strangers paid in. */
interface ModelAccount {
  left: bigint;
  dust: bigint;
}

/** The model: what the two accounts hold, what each leg took, and the best price of the market. It knows nothing of plans. */
class LegsWorld {
  readonly seen = new Set<string>();
  readonly #terms: LegTerms;
  #order: WaitingOrder;
  #now = 1;
  readonly #input: ModelAccount;
  readonly #output: ModelAccount = { left: 0n, dust: 0n };
  readonly #taken = new Map<OrderLeg, bigint>();
  #bought = 0n;
  #paid = 0n;
  #best = 100;
  #bps = 1_000;
  #fate: 'none' | 'signed' | 'landed' | 'gone' = 'none';
  #fill: { readonly sale: OrderSale; readonly isPart: boolean } | null = null;
  #moved = { input: 0n, output: 0n };
  readonly #read: WaitingOrder[];

  constructor(given: LegTerms) {
    this.#terms = given;
    this.#input = { left: given.deposit, dust: 0n };
    this.#order = openOrder(given);
    this.#read = [this.#order, this.#order, this.#order];
  }

  take(step: LegStep): void {
    if (step.does === 'waits') this.#now += step.ms;
    else if (step.does === 'reads') this.#read[step.actor] = this.#order;
    else if (step.does === 'drops') this.#fate = this.#fate === 'signed' ? 'gone' : this.#fate;
    else if (step.does === 'lands') this.#land(step);
    else if (step.does === 'pays in') this.#payIn(step);
    else if (step.does === 'trades') this.#trade(step);
    else if (step.does === 'fills') this.#sign(step);
    else if (step.does === 'settles') this.#settle(step);
    else if (step.does === 'edits') this.#edit(step);
    else if (this.#save(step.actor, this.#readBy(step), { kind: 'expired', at: this.#now })) {
      this.seen.add('expired');
    }
    this.#check();
  }

  /** Ends what is on its way, and lets the wallet cancel. What it gets back is what the order says. */
  finish(): void {
    this.take({ does: 'lands', rate: 1n });
    this.take({ does: 'settles', actor: 0, fresh: true });
    if (this.#order.state === 'fill_success') {
      this.seen.add('filled');
      return;
    }
    expect(this.#save(2, this.#order, { kind: 'cancel-asked', at: this.#now })).toBe(true);
    expect([this.#order.remaining, this.#order.unsold]).toEqual([this.#input.left, this.#output.left]);
    this.seen.add('cancelled');
  }

  #sign(step: Does<'fills'>): void {
    const { leg, isPart, actor } = step;
    const read = this.#readBy(step);
    const lease = { holder: `actor ${actor}`, leaseUntil: this.#now + LEASE_MS };
    const event = { kind: 'fill-recorded', leg, ...lease, at: this.#now } as const;
    const result = applyOrderEvent(read, event);
    if (read === this.#order && read.state === 'open' && this.#now < EXPIRES_AT) {
      const isWrong = !result.ok && result.error.code === 'wrong-leg';
      if (result.ok || result.error.code !== 'leased') {
        hold(isWrong === !this.#isLive(leg), `whether the leg ${leg} is live differs`);
      }
    }
    const sold = this.#order;
    if (!this.#save(actor, read, event)) return;
    hold(this.#fate === 'none', 'two fills are on their way');
    hold(this.#isLive(leg), `the leg ${leg} was filled, which is not live`);
    const sale = findSale(sold, leg);
    const isExit = this.#isExit(leg);
    hold(sale.account === (isExit ? OUTPUT_ACCOUNT : INPUT_ACCOUNT), 'a fill sells from another account');
    hold(sale.outputAccount === (leg === 'entry' ? OUTPUT_ACCOUNT : null), 'a fill pays somebody else');
    hold(sale.inputMint === (isExit ? OUTPUT : INPUT), 'a fill sells another token');
    hold(sale.remaining === (isExit ? this.#output : this.#input).left, 'a fill may sell another amount');
    this.#fate = 'signed';
    this.#fill = { sale, isPart };
  }

  /** Which legs may be filled, by what the accounts hold. */
  #isLive(leg: OrderLeg): boolean {
    const { kind } = this.#terms;
    if (kind !== 'oco' && kind !== 'otoco') return leg === 'single';
    if (kind === 'otoco' && this.#input.left > 0n) return leg === 'entry';
    const isTaken = (exit: OrderLeg) => (this.#taken.get(exit) ?? 0n) > 0n;
    if (isTaken('take_profit') || isTaken('stop_loss')) return isTaken(leg) && leg !== 'entry';
    return leg === 'take_profit' || leg === 'stop_loss';
  }

  #isExit(leg: OrderLeg): boolean {
    return this.#terms.kind === 'otoco' && leg !== 'entry';
  }

  #land({ rate }: Does<'lands'>): void {
    if (this.#fate !== 'signed' || this.#fill === null) return;
    const { sale, isPart } = this.#fill;
    const isExit = this.#isExit(sale.leg);
    hold(!isExit || this.#input.left === 0n, 'an exit was filled before the entry was');
    const from = isExit ? this.#output : this.#input;
    hold(from.left > 0n, 'a fill sells nothing');
    const input = isPart && from.left > 1n ? from.left / 2n : from.left + from.dust;
    if (input < from.left) this.seen.add('in parts');
    if (input > from.left) this.seen.add('dust');
    const ofOrder = input < from.left ? input : from.left;
    this.#taken.set(sale.leg, (this.#taken.get(sale.leg) ?? 0n) + ofOrder);
    from.left -= ofOrder;
    if (input > ofOrder) from.dust = 0n;
    const output = input * rate;
    if (sale.outputAccount === null) this.#paid += output;
    else {
      this.#bought += output;
      this.#output.left += output;
    }
    if (isExit) this.seen.add('exit after entry');
    if (sale.leg === 'entry' && this.#bought === 0n && from.left === 0n) this.seen.add('bought nothing');
    this.#moved = { input, output };
    this.#fate = 'landed';
  }

  #settle(step: Does<'settles'>): void {
    const at = this.#now;
    const read = this.#readBy(step);
    if (this.#fate === 'gone') {
      if (this.#save(step.actor, read, { kind: 'fill-ended', reason: 'route', at })) this.#fate = 'none';
    } else if (this.#fate === 'landed') {
      const event = { kind: 'fill-landed', ...this.#moved, delayMs: 0, at } as const;
      if (this.#save(step.actor, read, event)) this.#fate = 'none';
    }
  }

  #payIn({ isOutput }: Does<'pays in'>): void {
    const account = isOutput ? this.#output : this.#input;
    if (account.left > 0n) account.dust += 2n;
  }

  /** The store moves watermarks of open orders, without using up a revision. */
  #trade({ price }: Does<'trades'>): void {
    const { plan, state } = this.#order;
    if (plan.kind !== 'single' || plan.trailing === null || state !== 'open') return;
    const isBetter = this.#terms.kind === 'trails below' ? price > this.#best : price < this.#best;
    const moved = moveWatermark(plan, price);
    hold((moved !== null) === isBetter, 'a watermark moves against the wallet, or not at all');
    if (moved === null) return;
    this.#best = price;
    this.#order = { ...this.#order, plan: moved };
    this.seen.add('moved');
  }

  #edit(step: Does<'edits'>): void {
    const { what, by, actor } = step;
    const read = this.#readBy(step);
    const edited = editPlan(read.plan as PricePlan, what, by);
    const expiresAt = what === 'end' ? EXPIRES_AT - by : EXPIRES_AT;
    const event = { kind: 'edited', plan: edited, expiresAt, at: this.#now } as const;
    const isAllowed = this.#mayEdit(what);
    const isSaved = this.#save(actor, read, event);
    if (isSaved) hold(isAllowed, `an edit changed the ${what}`);
    else if (read === this.#order && read.state === 'open' && this.#now < EXPIRES_AT - 15) {
      hold(!isAllowed, `an edit could not change the ${what}`);
    }
    if (!isSaved) return;
    if (what === 'distance') this.#bps = by * 50;
    this.seen.add('edited');
    // So that the rest of the sequence knows one end.
    this.#order = { ...this.#order, expiresAt: EXPIRES_AT };
    this.#read[actor] = this.#order;
  }

  #mayEdit(what: (typeof EDITS)[number]): boolean {
    const { kind } = this.#terms;
    const isTrailing = kind === 'trails below' || kind === 'trails above';
    const isEntryOver = kind === 'otoco' && this.#input.left === 0n;
    if (what === 'end') return true;
    if (what === 'slippage') return !isEntryOver;
    if (what === 'prices') return !isTrailing && !isEntryOver;
    return what === 'distance' && isTrailing;
  }

  #readBy({ actor, fresh }: { readonly actor: number; readonly fresh: boolean }): WaitingOrder {
    return fresh ? this.#order : (this.#read[actor] as WaitingOrder);
  }

  /** Saves as the store does: by the revision, and never a watermark. */
  #save(actor: number, read: WaitingOrder, event: OrderEvent): boolean {
    const result = applyOrderEvent(read, event);
    if (!result.ok || read.revision !== this.#order.revision) return false;
    const { plan } = result.value;
    const isTrailing = plan.kind === 'single' && plan.trailing !== null;
    const kept = isTrailing ? createTrailingPlan(plan, { ...plan.trailing, watermark: this.#best }) : plan;
    this.#order = { ...result.value, plan: kept };
    this.#read[actor] = this.#order;
    return true;
  }

  #check(): void {
    const order = this.#order;
    const { kind, deposit } = this.#terms;
    this.#checkPlan();
    const [profit, loss] = [this.#taken.get('take_profit') ?? 0n, this.#taken.get('stop_loss') ?? 0n];
    hold(profit === 0n || loss === 0n, 'both exits were filled');
    if (profit + loss > 0n && order.state !== 'fill_success') this.seen.add('one exit in parts');
    if (kind === 'otoco') {
      hold(profit + loss + this.#output.left === this.#bought, 'the exits sold more than was bought');
    } else hold(this.#sumTaken() + this.#input.left === deposit, 'more was sold than deposited');
    if (this.#fate === 'landed') return;
    hold(order.remaining === this.#input.left, 'the order has another amount left');
    hold(order.unsold === this.#output.left, 'the order has another amount to sell');
    hold(order.bought === this.#bought, 'the order bought another amount');
    hold(order.received === this.#paid, 'the wallet received another amount');
    const isDone = this.#input.left === 0n && this.#output.left === 0n;
    hold(isDone === (order.state === 'fill_success'), 'the order ends with the last atom, and not before');
  }

  #sumTaken(): bigint {
    return [...this.#taken.values()].reduce((sum, each) => sum + each, 0n);
  }

  #checkPlan(): void {
    const { plan } = this.#order;
    const { kind } = this.#terms;
    hold(plan.kind === (kind === 'oco' || kind === 'otoco' ? kind : 'single'), 'the kind changed');
    if (plan.kind !== 'single' || kind === 'fixed') return;
    const distance = kind === 'trails below' ? 10_000 - this.#bps : 10_000 + this.#bps;
    hold(plan.trailing?.watermark === this.#best, 'the watermark is not the best price');
    hold(plan.triggerPrice === (this.#best * distance) / 10_000, 'the trigger is at another distance');
  }
}

function openOrder({ kind, deposit }: LegTerms): WaitingOrder {
  const given = createTestTerms(1, {
    plan: createPlan(kind),
    inputAmount: deposit,
    expiresAt: EXPIRES_AT,
    createdAt: 0,
  });
  return { ...startOrder(given, { holder: 'one', leaseUntil: 0 }), state: 'open', leaseHolder: null };
}

function createPlan(kind: LegTerms['kind']): PricePlan {
  const exits = {
    takeProfit: { triggerPrice: 120, slippageBps: bps(20) },
    stopLoss: { triggerPrice: 80, slippageBps: null },
  };
  const entry = { triggerMint: OUTPUT, condition: 'below', triggerPrice: 100, slippageBps: bps(10) } as const;
  if (kind === 'fixed') return { kind: 'single', ...entry, trailing: null };
  if (kind === 'oco') return { kind, triggerMint: INPUT, ...exits };
  if (kind === 'otoco') return { kind, ...entry, ...exits, outputAccount: OUTPUT_ACCOUNT };
  const condition = kind === 'trails below' ? 'below' : 'above';
  const triggerMint = kind === 'trails below' ? INPUT : OUTPUT;
  return createTrailingPlan(
    { triggerMint, condition, slippageBps: null },
    { bps: bps(1_000), watermark: 100 },
  );
}

/** Returns a plan with a change of one kind. One that a plan of this kind cannot have is made to another that is refused. */
function editPlan(plan: PricePlan, what: (typeof EDITS)[number], by: number): PricePlan {
  const other = plan.kind === 'oco' ? createPlan('otoco') : createPlan('oco');
  const isTrailing = plan.kind === 'single' && plan.trailing !== null;
  switch (what) {
    case 'end':
      return plan;
    case 'slippage':
      if (plan.kind === 'oco')
        return { ...plan, takeProfit: { ...plan.takeProfit, slippageBps: bps(by * 100) } };
      return { ...plan, slippageBps: bps(by * 100) };
    case 'prices':
      if (plan.kind === 'oco') return { ...plan, stopLoss: { ...plan.stopLoss, triggerPrice: 80 + by } };
      return { ...plan, triggerPrice: plan.triggerPrice + by };
    case 'distance':
      return isTrailing ? createTrailingPlan(plan, { ...plan.trailing, bps: bps(by * 50) }) : other;
    case 'watermark':
      if (!isTrailing) return other;
      return createTrailingPlan(plan, { ...plan.trailing, watermark: plan.trailing.watermark + by });
    case 'mint':
      return { ...plan, triggerMint: plan.triggerMint === INPUT ? OUTPUT : INPUT };
    case 'condition':
      return plan.kind === 'oco'
        ? other
        : { ...plan, condition: plan.condition === 'above' ? 'below' : 'above' };
    case 'account':
      return plan.kind === 'otoco' ? { ...plan, outputAccount: INPUT_ACCOUNT } : other;
    case 'trailing':
      if (plan.kind !== 'single') return other;
      return { ...plan, trailing: isTrailing ? null : { bps: bps(1_000), watermark: 100 } };
    case 'crossed':
      return plan.kind === 'single' ? other : { ...plan, takeProfit: plan.stopLoss };
    default:
      return other;
  }
}

/** Costs less than `expect`, which counts when it is called a million times. */
function hold(condition: boolean, fault: string): void {
  if (!condition) throw new Error(fault);
}
