import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../solana/address.ts';
import { bps, divideUp, maximum, minimum } from '../../solana/units.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { openForAll } from '../../testing/opened.ts';
import { fetchForWallet, writeTestTokenAccount } from '../../testing/protocols/accounts.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { assertProperty } from '../../testing/random.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { insertTestOrders, TEST_NETWORK } from '../../testing/waiting-orders/test-order-store.ts';
import { createTestTerms } from '../../testing/waiting-orders/test-orders.ts';
import { RATE_ONE } from '../earning/earn-program.ts';
import { createTrailingPlan, listTriggers } from '../legs.ts';
import { applyOrderEvent, startOrder } from '../machine.ts';
import type { OrderEvent } from '../order-moves.ts';
import { isRecurring, type OrderPlan } from '../order-plan.ts';
import { findSale } from '../order-sale.ts';
import { OrderRowReader } from '../store/order-row-reader.ts';
import { orderTransactions, waitingOrders } from '../store/order-tables.ts';
import { NEVER, ORDER_STATES, type OrderState, type WaitingOrder } from '../waiting-order.ts';
import { STATES_WITH_MONEY } from './order-overview.ts';
import { createOrderElement, createOrderPositions } from './order-positions.ts';

const { store } = openForAll(() => openTestStore('sqlite'), 'cleanUp');

describe('createOrderPositions', () => {
  it('shows the money of an order of any kind once, at every moment of its life', async () => {
    const seen = new Set<string>();
    let number = 0;
    await assertProperty(
      fc.asyncProperty(
        fc.constantFrom(...KINDS, 'otoco', 'otoco'),
        fc.bigInt(3n, 1_000n),
        fc.array(fc.tuple(fc.constantFrom(...STEPS), PARTS), { maxLength: 8 }),
        async (kind, amount, steps) => {
          const life = new OrderLife(++number, kind, amount, seen);
          life.step('deposit', 1);
          for (const [step, part] of steps) life.step(step, part);
          expect(await life.fetch()).toEqual(life.show());
        },
      ),
      { cases: 1_000, seed: 20_261_128 },
    );
    const states = ORDER_STATES.filter((state) => state !== 'deposit_failed');
    expect([...seen].toSorted()).toEqual([...states, SOLD_AGAIN].toSorted());
  });
});

const KINDS = [
  'single',
  'trailing',
  'oco',
  'otoco',
  'time_based',
  'price_conditional',
  'earning',
  'earning of which nothing is known',
] as const;
type Kind = (typeof KINDS)[number];
const STEPS = [
  'fill',
  'fill',
  'fill',
  'fill',
  'fill',
  'gift',
  'gift of output',
  'expire',
  'cancel',
  'withdraw',
] as const;
/** What has to be seen beside each state: an order that has sold a part of what it has bought. */
const SOLD_AGAIN = 'sold again';
/** In percent. Half of all fills sell everything. */
const PARTS = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 99 }));
type Step = (typeof STEPS)[number] | 'deposit';

const { inputMint, outputMint } = createTestTerms(0);
const EARN_MINT = address('9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D');
const OUTPUT_ACCOUNT = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
/** What an atom of the shares is worth: a little more than an atom. */
const RATE = (RATE_ONE * 11n) / 10n;
const BEGUN = 1_790_000_000_000;
const LEASE = { holder: 'a test', leaseUntil: 0 };

/** An order with the tokens in its two accounts. Both are changed together or one after the other, as the chain and the store are. */
class OrderLife {
  readonly #kind: Kind;
  readonly #seen: Set<string>;
  #order: WaitingOrder;
  /** Atoms in the account of the order, and in that of what it buys to sell again. */
  #held = 0n;
  #bought = 0n;
  /** Atoms of the input, and of what was bought, that fills have sold. */
  #sold = 0n;
  #soldAgain = 0n;
  /** What the wallet was paid by fills that the store knows of. */
  #paid = 0n;
  #hasGifts = false;

  constructor(number: number, kind: Kind, inputAmount: bigint, seen: Set<string>) {
    this.#kind = kind;
    this.#seen = seen;
    const plan = createPlan(kind);
    const expiresAt = isRecurring(plan) ? NEVER : BEGUN + 60_000;
    this.#order = startOrder(
      createTestTerms(number, { plan, inputAmount, expiresAt, createdAt: BEGUN }),
      LEASE,
    );
  }

  /** @param part - How much of what is there is moved, in percent. */
  step(step: Step, part: number): void {
    const { state } = this.#order;
    this.#check();
    if (step === 'deposit') {
      this.#held = this.#isEarning
        ? maximum(1n, (this.#order.inputAmount * RATE_ONE) / RATE)
        : this.#order.inputAmount;
      this.#check();
      this.#apply({ kind: 'deposit-landed', at: BEGUN });
    } else if (step === 'fill') {
      if (state === 'open') this.#fill(part);
    } else if (step === 'expire') {
      if (state === 'open' && !isRecurring(this.#order.plan))
        this.#apply({ kind: 'expired', at: this.#order.expiresAt });
    } else if (step === 'cancel') {
      if (state === 'open' || state === 'expired') this.#apply({ kind: 'cancel-asked', at: BEGUN });
    } else if (step === 'withdraw') {
      if (state === 'ready_to_cancel') this.#withdraw();
    } else if (state !== 'cancelled' && state !== 'fill_success') {
      this.#hasGifts = true;
      if (step === 'gift') this.#held += BigInt(part);
      else if (this.#order.plan.kind === 'otoco') this.#bought += BigInt(part);
      this.#check();
    }
  }

  #fill(part: number): void {
    const triggers = listTriggers(this.#order);
    const leg = triggers[part % Math.max(1, triggers.length)]?.leg ?? 'round';
    const at = this.#order.rounds?.nextAt ?? BEGUN;
    const sale = findSale(this.#order, leg);
    this.#apply({ kind: 'fill-recorded', leg, at, ...LEASE });
    const input = sale.exactly ?? maximum(1n, (sale.remaining * BigInt(part)) / 100n);
    const output = input * 2n;
    const isEntry = sale.outputAccount !== null;
    const isAgain = sale.account === OUTPUT_ACCOUNT;
    if (isAgain) this.#bought -= input;
    else this.#held -= this.#isEarning ? this.#toShares(sale.exactly) : input;
    if (isEntry) this.#bought += output;
    if (isAgain) this.#soldAgain += input;
    else this.#sold += input;
    this.#check();
    if (!isEntry) this.#paid += output;
    this.#apply({ kind: 'fill-landed', input, output, delayMs: 0, at });
    if (this.#order.state === 'fill_success') this.#check();
  }

  /** A round that sells everything sells all shares. */
  #toShares(exactly: bigint | null): bigint {
    if (exactly === null) return this.#held;
    const shares = divideUp(exactly * RATE_ONE, RATE);
    return minimum(shares, this.#held);
  }

  #withdraw(): void {
    this.#apply({ kind: 'withdrawal-recorded', at: BEGUN, ...LEASE });
    this.#held = 0n;
    this.#bought = 0n;
    this.#check();
    this.#apply({ kind: 'withdrawal-landed', at: BEGUN });
  }

  #apply(event: OrderEvent): void {
    const applied = applyOrderEvent(this.#order, event);
    if (!applied.ok) throw new Error(`${event.kind}: ${applied.error.message}`);
    this.#order = applied.value;
    this.#check();
  }

  get #isEarning(): boolean {
    return this.#kind.startsWith('earning');
  }

  #check(): void {
    const order = this.#order;
    this.#seen.add(order.state);
    const elements = this.show();
    const holds = this.#held > 0n || this.#bought > 0n;
    expect(elements).toHaveLength(holds && this.#isListed ? 1 : 0);
    const [element] = elements;
    if (element === undefined) return;
    const shown = (mint: string) =>
      (element.inputMint === mint ? element.remainingInput : 0n) +
      (element.outputMint === mint ? element.heldOutput : 0n);
    expect([shown(inputMint), shown(outputMint)]).toEqual([this.#countInput(), this.#bought]);
    const { initialInput, remainingInput } = element;
    expect(initialInput).toBeGreaterThan(0n);
    expect(remainingInput).toBeGreaterThanOrEqual(0n);
    if (!this.#hasGifts && !this.#isEarning) {
      const sold = element.inputMint === inputMint ? this.#sold : this.#soldAgain;
      expect([initialInput - remainingInput, remainingInput <= initialInput]).toEqual([sold, true]);
      if (this.#soldAgain > 0n) this.#seen.add(SOLD_AGAIN);
    }
    expect(element.withdrawnOutput).toBe(this.#paid);
    expect([element.ref, element.createdAt]).toEqual([order.account, order.createdAt]);
    expect([element.label, element.expireAt, element.recurring]).toEqual(
      isRecurring(order.plan)
        ? ['SmartDCA', undefined, { cycles: order.plan.rounds, interval: order.plan.intervalMs }]
        : ['LimitOrder', order.expiresAt, undefined],
    );
  }

  /** Returns what the account of the order holds, in atoms of the input. */
  #countInput(): bigint {
    if (this.#kind === 'earning') return (this.#held * RATE) / RATE_ONE;
    return this.#isEarning ? this.#order.remaining : this.#held;
  }

  /** Returns the positions of the order, as it stands. */
  show() {
    const tokens = { held: this.#held, bought: this.#bought };
    return this.#isListed
      ? [createOrderElement(this.#order, tokens, this.#earn)].filter((each) => each !== null)
      : [];
  }

  get #isListed(): boolean {
    return (STATES_WITH_MONEY as readonly OrderState[]).includes(this.#order.state);
  }

  get #earn() {
    return { find: () => (this.#kind === 'earning' ? { earnMint: EARN_MINT, rate: RATE } : null) };
  }

  /** Returns the positions of the wallet, which has no other order, from the store and the chain. */
  async fetch() {
    await store.db.delete(orderTransactions);
    await store.db.delete(waitingOrders);
    await insertTestOrders(store, [this.#order]);
    const view = new TestView();
    const accounts = [
      [this.#order.account, this.#isEarning ? EARN_MINT : inputMint, this.#held],
      [OUTPUT_ACCOUNT, outputMint, this.#bought],
    ] as const;
    for (const [account, mint, atoms] of accounts) {
      if (atoms > 0n) view.set(account, TOKEN_PROGRAM, writeTestTokenAccount(mint, atoms));
    }
    const source = { db: store.db, network: TEST_NETWORK, rows: new OrderRowReader() };
    return (await fetchForWallet(createOrderPositions(source, this.#earn), view, this.#order.wallet))
      .elements;
  }
}

function createPlan(kind: Kind): OrderPlan {
  const entry = {
    triggerMint: outputMint,
    condition: 'below',
    triggerPrice: 1.5,
    slippageBps: null,
  } as const;
  const exits = {
    takeProfit: { triggerPrice: 2, slippageBps: null },
    stopLoss: { triggerPrice: 1, slippageBps: null },
  };
  switch (kind) {
    case 'single':
      return { kind, ...entry, trailing: null };
    case 'trailing':
      return createTrailingPlan(entry, { bps: bps(100), watermark: 1.5 });
    case 'oco':
      return { kind, triggerMint: inputMint, ...exits };
    case 'otoco':
      return { kind, ...entry, ...exits, outputAccount: OUTPUT_ACCOUNT };
    default: {
      const band =
        kind === 'price_conditional' ? { triggerMint: outputMint, minPrice: 1, maxPrice: null } : null;
      const earnMint = kind.startsWith('earning') ? EARN_MINT : null;
      const timed = { rounds: 3, intervalMs: 60_000, beginAt: BEGUN, earnMint };
      return { kind: band === null ? 'time_based' : 'price_conditional', ...timed, band };
    }
  }
}
