import fc from 'fast-check';
import { expect, describe, it } from 'vitest';
import { LimitWorld, type PlacedOrder } from '../../../programs/limit-order/tests/world.ts';
import { createInitializeOrder } from '../../protocols/jupiter-limit-order/instructions.ts';
import { LIMIT_ORDER_FEE } from '../../protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../solana/address.ts';
import { openForAll } from '../../testing/opened.ts';
import { askOrders, openFollowedOrders } from '../../testing/program-orders/followed-orders.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import { assertProperty } from '../../testing/random.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { ProgramOrderHistory } from '../store/program-order-history.ts';

describe('what is recorded of limit orders in random lives', () => {
  const tested = openForAll(() => openTestStore('sqlite'), 'cleanUp');

  it('equals the accounts of the limit-order program, and what its fills have paid', async () => {
    const world = new LimitWorld();
    const chain = new HistoryChain(world.network);
    const followed = openFollowedOrders(chain, tested.store);
    const history = new ProgramOrderHistory(tested.store, chain.genesisHash, 'limit-order');
    const run = async (steps: readonly LimitStep[]) => {
      const life = new LimitLife(world);
      for (const step of steps) {
        const paid = life.take(step);
        await followed.reconcile();
        const { orders } = await followed.lists.listLimitOrders(
          ...askOrders(life.maker, true, { perPage: 99 }),
        );
        const ended = await followed.lists.listLimitOrders(...askOrders(life.maker, false, { perPage: 99 }));
        expect(orders.map(({ address }) => address).sort()).toEqual(
          life.open.map(({ address }) => address).sort(),
        );
        const recorded = await history.findOpen(life.open.map(({ address }) => address));
        for (const { address, making, taking, originalMaking, originalTaking, ...terms } of life.accounts()) {
          expect(recorded.get(address)?.order).toMatchObject({
            making: originalMaking,
            taking: originalTaking,
            remainingMaking: making,
            remainingTaking: taking,
            slippageBps: terms.slippageBps,
            feeBps: terms.feeBps,
            expiredAt: terms.expiredAt,
          });
        }
        expect(ended.orders.map(({ address, state }) => `${address} ${state}`).sort()).toEqual(
          [...life.ended].sort(),
        );
        if (paid === null) continue;
        const [trade] =
          [...orders, ...ended.orders].find(({ address }) => address === paid.address)?.trades ?? [];
        expect(trade).toMatchObject({ outputAmount: paid.toMaker, feeAmount: paid.fee });
      }
    };
    const property = fc.asyncProperty(fc.array(LIMIT_STEP, { minLength: 5, maxLength: 30 }), run);
    await assertProperty(property, { cases: 300, short: 12, seed: 20_261_130, against: 'the program' });
  });
});

const amount = fc.oneof(fc.bigInt(1n, 12n), fc.bigInt(1n, 5_000n), fc.bigInt(1n, 10_000_000n));

const LIMIT_STEP = fc.record({
  kind: fc.constantFrom(
    'place' as const,
    'place' as const,
    'fill' as const,
    'fill' as const,
    'fill' as const,
    'rest' as const,
    'cancel' as const,
  ),
  which: fc.nat(),
  making: amount,
  taking: amount,
  /** The share that is filled, in thousandths. */
  share: fc.bigInt(1n, 1_000n),
  feeBps: fc.constantFrom(null, 3, 77, 1_000),
  slippageBps: fc.constantFrom(null, 0, 5_000),
  discount: fc.constantFrom(0n, 0n, 100n, 4_000n),
});
type LimitStep = typeof LIMIT_STEP extends fc.Arbitrary<infer T> ? T : never;

/** What a fill has paid, by the balances. */
interface Paid {
  readonly address: Address;
  readonly toMaker: bigint;
  readonly fee: bigint;
}

/** The orders of one maker, as the program has them. */
class LimitLife {
  readonly #world: LimitWorld;
  readonly maker: Address;
  readonly open: PlacedOrder[] = [];
  readonly ended: string[] = [];
  #id = 0n;

  constructor(world: LimitWorld) {
    this.#world = world;
    this.maker = world.network.newWallet();
    world.hold(this.maker, world.input, 1n << 50n);
    world.hold(this.maker, world.output, 0n);
    world.hold(world.keeper, world.output, 1n << 50n);
  }

  accounts() {
    return this.open.flatMap((order) => {
      const account = this.#world.read(order);
      return account === null ? [] : [{ address: order.address, ...account }];
    });
  }

  take(step: LimitStep): Paid | null {
    if (step.kind === 'place') {
      this.#place(step);
      return null;
    }
    const order = this.open[step.which % Math.max(1, this.open.length)];
    if (order === undefined) return null;
    if (step.kind !== 'cancel') return this.#fill(order, step);
    this.#world.must(this.#world.cancel(order));
    this.#end(order, 'cancelled');
    return null;
  }

  #place({ making, taking, feeBps, slippageBps, share }: LimitStep): void {
    const world = this.#world;
    const terms = world.terms({
      payer: this.maker,
      maker: this.maker,
      // Few numbers, so that addresses are used again.
      uniqueId: this.#id++ % 3n,
      making,
      taking,
      feeBps,
      slippageBps,
      expiredAt: share % 2n === 0n ? null : (1n << 62n) + share,
    });
    if (world.send(createInitializeOrder(terms)).error === null) this.open.push(world.placed(terms));
  }

  #fill(order: PlacedOrder, { kind, share, discount }: LimitStep): Paid | null {
    const world = this.#world;
    const account = world.read(order);
    if (account === null) throw new Error(`${order.address} is no order`);
    const making = kind === 'rest' ? account.making : (account.making * share) / 1_000n;
    const owed = (account.taking * making) / account.making + 1n;
    const maximum = owed - (owed * discount) / 10_000n;
    const before = this.#balances();
    if (world.send(...world.fill(order, making, { maximum })).error !== null) return null;
    const after = this.#balances();
    if (world.read(order) === null) this.#end(order, 'filled');
    return { address: order.address, toMaker: after.maker - before.maker, fee: after.fees - before.fees };
  }

  #balances() {
    const { output } = this.#world;
    return {
      maker: this.#world.balance(this.maker, output),
      fees: this.#world.balance(LIMIT_ORDER_FEE, output),
    };
  }

  #end(order: PlacedOrder, state: string): void {
    this.open.splice(this.open.indexOf(order), 1);
    this.ended.push(`${order.address} ${state}`);
  }
}
