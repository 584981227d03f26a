import { describe, expect, it } from 'vitest';
import { DcaWorld } from '../../../programs/dca/tests/world.ts';
import { LimitWorld } from '../../../programs/limit-order/tests/world.ts';
import type { Chain } from '../../chain/chain.ts';
import { createEndAndCloseDca, createTransferDca } from '../../protocols/jupiter-dca/dca-fills.ts';
import {
  createCloseDca,
  createDepositDca,
  createOpenDcaV1,
  createWithdrawDca,
} from '../../protocols/jupiter-dca/dca-instructions.ts';
import { deriveDcaOrderAddress } from '../../protocols/jupiter-dca/dca-program.ts';
import { createInitializeOrder } from '../../protocols/jupiter-limit-order/instructions.ts';
import { openForEach } from '../../testing/opened.ts';
import { askOrders, openFollowedOrders } from '../../testing/program-orders/followed-orders.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import { replaced } from '../../testing/replaced.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';

describe.each(STORES)('the lists of limit orders on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('show an order from its creation over its fills to its end', async () => {
    const { world, chain, lists } = open(new LimitWorld());
    const { maker, keeper, input, output } = world;
    const order = world.place({ making: 1_000_000n, taking: 500_000n, slippageBps: 50 });
    const [opened] = (await lists.listLimitOrders(...askOrders(maker, true))).orders;
    expect(opened).toMatchObject({
      address: order.address,
      inputMint: input.mint,
      outputMint: output.mint,
      making: 1_000_000n,
      remainingTaking: 500_000n,
      slippageBps: 50,
      feeBps: 10,
      state: 'open',
      openSignature: chain.landed.at(-1)?.signature,
      closeSignature: null,
      trades: [],
    });
    world.must(...world.fill(order, 400_000n));
    const part = chain.landed.at(-1)?.signature;
    const { orders, total } = await lists.listLimitOrders(...askOrders(maker, true));
    const first = { keeper, inputAmount: 400_000n, outputAmount: 199_800n, feeAmount: 200n, signature: part };
    expect(total).toBe(1);
    expect(orders).toMatchObject([
      { remainingMaking: 600_000n, remainingTaking: 300_000n, state: 'open', trades: [first] },
    ]);
    expect(await lists.listLimitOrders(...askOrders(maker, false))).toEqual({ orders: [], total: 0 });
    world.must(...world.fill(order, 600_000n));
    const rest = chain.landed.at(-1)?.signature;
    expect(await lists.listLimitOrders(...askOrders(maker, true))).toEqual({ orders: [], total: 0 });
    expect((await lists.listLimitOrders(...askOrders(maker, false))).orders).toMatchObject([
      {
        making: 1_000_000n,
        remainingMaking: 0n,
        remainingTaking: 0n,
        state: 'filled',
        closeSignature: rest,
        trades: [{ inputAmount: 600_000n, outputAmount: 299_700n, feeAmount: 300n, signature: rest }, first],
      },
    ]);
  });

  it('show open orders without what belongs to a record when that takes long to be read', async () => {
    const world = new LimitWorld();
    const chain = new HistoryChain(world.network);
    const silent = (seen: HistoryChain) =>
      replaced<Chain>(seen as unknown as Chain, { transaction: () => new Promise(() => undefined) });
    const { lists, timers } = openFollowedOrders(chain, tested.store, { seen: silent });
    const order = world.place();
    const listed = lists.listLimitOrders(...askOrders(world.maker, true));
    await expect.poll(() => timers.waiting).toBe(1);
    timers.advance(2_000);
    expect((await listed).orders).toMatchObject([{ address: order.address, openSignature: null }]);
  });

  it('show what was left of an order that was cancelled, and apart from it one at the same address', async () => {
    const { world, chain, lists } = open(new LimitWorld());
    const first = world.place({ uniqueId: 7n, expiredAt: 9_000_000_000_000_000_000n });
    world.must(...world.fill(first, 1_000n));
    world.must(world.cancel(first));
    const cancelled = chain.landed.at(-1)?.signature;
    const again = world.place({ uniqueId: 7n, making: 5_000n });
    expect(again.address).toBe(first.address);
    expect((await lists.listLimitOrders(...askOrders(world.maker, true))).orders).toMatchObject([
      { address: first.address, making: 5_000n, trades: [], openSignature: chain.landed.at(-1)?.signature },
    ]);
    expect((await lists.listLimitOrders(...askOrders(world.maker, false))).orders).toMatchObject([
      {
        address: first.address,
        remainingMaking: 999_000n,
        state: 'cancelled',
        expiredAt: 9_000_000_000_000_000_000n,
        closeSignature: cancelled,
        trades: [{ inputAmount: 1_000n }],
      },
    ]);
  });

  it('show lives at one address that begin and end in the same transaction', async () => {
    const { world, lists } = open(new LimitWorld());
    const order = world.place({ uniqueId: 7n });
    world.must(world.cancel(order));
    const terms = world.terms({ uniqueId: 7n });
    const cancel = world.cancel(world.placed(terms));
    world.must(
      createInitializeOrder(terms),
      cancel,
      createInitializeOrder({ ...terms, making: 77n }),
      cancel,
    );
    const { orders } = await lists.listLimitOrders(...askOrders(world.maker, false));
    expect(orders.map(({ making, state }) => [making, state])).toEqual([
      [77n, 'cancelled'],
      [1_000_000n, 'cancelled'],
      [1_000_000n, 'cancelled'],
    ]);
  });

  function open(world: LimitWorld) {
    const chain = new HistoryChain(world.network);
    return { world, chain, ...openFollowedOrders(chain, tested.store) };
  }
});

describe.each(STORES)('the lists of DCA orders on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('show an order with everything that its user and keepers did', async () => {
    const { world, chain, lists } = open(new DcaWorld());
    const order = world.open({ minOutAmount: 5n, maxOutAmount: 1_000n });
    world.must(...world.fill(order, 1_000n));
    const filled = chain.landed.at(-1)?.signature;
    world.must(createDepositDca(order, 200n));
    world.must(createWithdrawDca(order, 'in', 50n));
    world.must(createWithdrawDca(order, 'out', 9n));
    world.must(createTransferDca(world.keeper, order));
    const { orders } = await lists.listDcaOrders(...askOrders(world.user, true));
    expect(orders).toMatchObject([
      {
        address: order.address,
        inDeposited: 800n,
        inWithdrawn: 50n,
        inUsed: 100n,
        outReceived: 999n,
        outWithdrawn: 999n,
        minOutAmount: 5n,
        maxOutAmount: 1_000n,
        openSignature: chain.landed[0]?.signature,
        trades: [
          { keeper: world.keeper, inputAmount: 100n, outputAmount: 999n, feeAmount: 1n, signature: filled },
        ],
      },
    ]);
    world.must(createCloseDca(order));
    expect((await lists.listDcaOrders(...askOrders(world.user, true))).total).toBe(0);
    expect((await lists.listDcaOrders(...askOrders(world.user, false))).orders).toMatchObject([
      {
        inDeposited: 800n,
        inWithdrawn: 700n,
        inUsed: 100n,
        outReceived: 999n,
        outWithdrawn: 999n,
        minOutAmount: 5n,
        maxOutAmount: 1_000n,
        userClosed: true,
        closeSignature: chain.landed.at(-1)?.signature,
        trades: [{ signature: filled }],
      },
    ]);
  });

  it('tell an order that was done from one that its user closed, opened by the older instruction', async () => {
    const { world, lists } = open(new DcaWorld());
    const opening = world.opening({ inAmount: 100n, inAmountPerCycle: 100n, minOutAmount: 3n });
    world.must(createOpenDcaV1(opening, false));
    const order = world.order(deriveDcaOrderAddress(opening).address);
    world.must(...world.fill(order, 1_000n));
    world.must(createEndAndCloseDca(world.keeper, order, {}));
    expect((await lists.listDcaOrders(...askOrders(world.user, false))).orders).toMatchObject([
      { inUsed: 100n, outWithdrawn: 999n, minOutAmount: 3n, maxOutAmount: 0n, userClosed: false },
    ]);
  });

  function open(world: DcaWorld) {
    const chain = new HistoryChain(world.network);
    return { world, chain, ...openFollowedOrders(chain, tested.store) };
  }
});
