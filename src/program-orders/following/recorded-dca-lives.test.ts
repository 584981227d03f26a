import fc from 'fast-check';
import { expect, describe, it } from 'vitest';
import { DcaWorld, HOLDING } from '../../../programs/dca/tests/world.ts';
import { createEndAndCloseDca, createTransferDca } from '../../protocols/jupiter-dca/dca-fills.ts';
import {
  createCloseDca,
  createDepositDca,
  createOpenDca,
  createOpenDcaV1,
  createWithdrawDca,
} from '../../protocols/jupiter-dca/dca-instructions.ts';
import { decodeDcaOrder } from '../../protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM, deriveDcaOrderAddress } from '../../protocols/jupiter-dca/dca-program.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { openForAll } from '../../testing/opened.ts';
import { askOrders, openFollowedOrders } from '../../testing/program-orders/followed-orders.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import { assertProperty } from '../../testing/random.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { ProgramOrderHistory } from '../store/program-order-history.ts';

describe('what is recorded of DCA orders in random lives', () => {
  const tested = openForAll(() => openTestStore('sqlite'), 'cleanUp');

  it('equals the accounts of the DCA program, and its payments when an order ends', async () => {
    const world = new DcaWorld();
    const chain = new HistoryChain(world.network);
    const followed = openFollowedOrders(chain, tested.store);
    const history = new ProgramOrderHistory(tested.store, chain.genesisHash, 'dca');
    const seen = new Set<string>();
    const run = async (steps: readonly DcaStep[]) => {
      const life = new DcaLife(world);
      for (const step of steps) {
        if (life.take(step)) seen.add(step.kind);
        // It finds nothing that the events did not say, so that no trade is lost.
        await followed.reconcile();
        const open = await history.findOpen(life.open);
        for (const address of life.open) {
          const { number, shownTrades, order } = open.get(address) ?? {};
          expect(order, `order ${number}`).toMatchObject(readDca(world, address));
          expect(shownTrades?.reduce((sum, { inputAmount }) => sum + inputAmount, 0n)).toBe(
            order?.program === 'dca' ? order.inUsed : null,
          );
        }
        const { orders, total } = await followed.lists.listDcaOrders(...askOrders(life.user, false));
        expect(total).toBe(life.ended.length);
        const [last] = orders;
        if (life.ended.length > 0) expect(orders).toContainEqual(expect.objectContaining(life.ended.at(-1)));
        if (last !== undefined) expect(last.inDeposited - last.inWithdrawn - last.inUsed).toBe(0n);
      }
    };
    const property = fc.asyncProperty(fc.array(DCA_STEP, { minLength: 10, maxLength: 40 }), run);
    await assertProperty(property, { cases: 300, short: 12, seed: 20_261_129, against: 'the program' });
    expect([...seen].sort()).toEqual(['close', 'deposit', 'end', 'fill', 'open', 'transfer', 'withdraw']);
  });
});

const amount = fc.oneof(fc.bigInt(1n, 12n), fc.bigInt(1n, 5_000n), fc.bigInt(1n, 10_000_000n));

const DCA_STEP = fc.record({
  kind: fc.constantFrom(
    'open' as const,
    'open' as const,
    'fill' as const,
    'fill' as const,
    'fill' as const,
    'deposit' as const,
    'withdraw' as const,
    'transfer' as const,
    'close' as const,
    'end' as const,
  ),
  which: fc.nat(),
  amount,
  cycles: fc.bigInt(1n, 3n),
  isFirst: fc.boolean(),
});
type DcaStep = typeof DCA_STEP extends fc.Arbitrary<infer T> ? T : never;

/** The orders of one user, as the program has them. */
class DcaLife {
  readonly #world: DcaWorld;
  readonly user: Address;
  readonly open: Address[] = [];
  /** What is expected of each, in the order in which they ended. */
  readonly ended: object[] = [];
  #idx = 0n;

  constructor(world: DcaWorld) {
    this.#world = world;
    this.user = world.network.newWallet();
    world.hold(this.user, world.input, HOLDING);
    world.hold(this.user, world.output, 0n);
    world.hold(world.market, world.output, HOLDING);
  }

  /** Returns whether the program has done it. */
  take({ kind, which, amount: atoms, cycles, isFirst }: DcaStep): boolean {
    const world = this.#world;
    if (kind === 'open') {
      // Two numbers, so that addresses are used again.
      const opening = world.opening({
        user: this.user,
        idx: this.#idx++ % 2n,
        inAmount: atoms + 2n,
        inAmountPerCycle: (atoms + 2n + cycles - 1n) / cycles,
        ...(isFirst ? { maxOutAmount: 1n << 50n } : { minOutAmount: 1n }),
      });
      const form = isFirst ? createOpenDca(opening) : createOpenDcaV1(opening, false);
      const { address } = deriveDcaOrderAddress(opening);
      if (!this.#send(form)) return false;
      this.open.push(address);
      return true;
    }
    const address = this.open[which % Math.max(1, this.open.length)];
    if (address === undefined) return false;
    const order = world.order(address);
    const facts = readDca(world, address);
    const side = isFirst ? 'in' : 'out';
    const trades = { inUsed: facts.inUsed, outReceived: facts.outReceived, outWithdrawn: facts.outReceived };
    switch (kind) {
      case 'fill':
        if (world.now < order.nextCycleAt) world.now = order.nextCycleAt;
        return this.#send(...world.fill(order, atoms + 1n));
      case 'deposit':
        return this.#send(createDepositDca(order, atoms));
      case 'withdraw':
        return this.#send(createWithdrawDca(order, side, atoms));
      case 'transfer':
        return this.#send(createTransferDca(world.keeper, order));
      case 'close':
        return this.#end(address, { ...trades, userClosed: true }, createCloseDca(order));
      default:
        return this.#end(
          address,
          { ...trades, userClosed: false },
          createEndAndCloseDca(this.user, order, {}),
        );
    }
  }

  #end(address: Address, expected: object, instruction: Instruction): boolean {
    if (!this.#send(instruction)) return false;
    this.open.splice(this.open.indexOf(address), 1);
    this.ended.push({ address, ...expected });
    return true;
  }

  #send(...instructions: readonly Instruction[]): boolean {
    return this.#world.send(...instructions).error === null;
  }
}

/** The amounts of an order's account. */
function readDca({ network }: DcaWorld, address: Address) {
  const account = network.account(address);
  if (account?.owner !== DCA_PROGRAM) throw new Error(`${address} is no order`);
  const order = decodeDcaOrder(account.data);
  const { inDeposited, inWithdrawn, inUsed, outReceived, outWithdrawn, minOutAmount, maxOutAmount } = order;
  const amounts = { inDeposited, inWithdrawn, inUsed, outReceived, outWithdrawn };
  const { inAmountPerCycle, cycleFrequency, createdAt } = order;
  return { ...amounts, minOutAmount, maxOutAmount, inAmountPerCycle, cycleFrequency, createdAt };
}
