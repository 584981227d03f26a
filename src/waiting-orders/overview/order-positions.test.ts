import { describe, expect, it } from 'vitest';
import { address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { openForEach } from '../../testing/opened.ts';
import { fetchForWallet, writeTestTokenAccount } from '../../testing/protocols/accounts.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import {
  createOpenOrder,
  insertStoredOrder,
  ORDER_WALLET,
} from '../../testing/waiting-orders/stored-order.ts';
import { insertTestOrders, TEST_NETWORK } from '../../testing/waiting-orders/test-order-store.ts';
import type { EarnProgram } from '../earning/earn-program.ts';
import { waitingOrders } from '../store/order-tables.ts';
import { NEVER, type WaitingOrder } from '../waiting-order.ts';
import { OrderRowReader } from '../store/order-row-reader.ts';
import { createOrderPositions } from './order-positions.ts';

const test = openForEach(() => openTestStore('sqlite'), 'cleanUp');

describe('createOrderPositions', () => {
  it('shows what is in the account of the order, which strangers can add to, and what was paid', async () => {
    const order = createOpenOrder(1, { remaining: 600n, inputAmount: 1_000n, received: 80n });
    expect(await fetchElements([order], new Map([[order.account, 700n]]))).toEqual([
      {
        type: 'trade',
        label: 'LimitOrder',
        inputMint: order.inputMint,
        outputMint: order.outputMint,
        initialInput: 1_000n,
        remainingInput: 700n,
        heldOutput: 0n,
        withdrawnOutput: 80n,
        createdAt: order.createdAt,
        expireAt: order.expiresAt,
        ref: order.account,
        sourceRefs: [{ name: 'Vault', address: order.vault }],
        link: 'https://jup.ag/trigger/',
      },
    ]);
  });

  it('shows an order in rounds as SmartDCA, with its rounds and without an end', async () => {
    const plan = {
      kind: 'time_based',
      rounds: 4,
      intervalMs: 3_600_000,
      beginAt: 1,
      band: null,
      earnMint: null,
    } as const;
    const order = createOpenOrder(1, {
      plan,
      rounds: { filled: 1, nextAt: 2, lastAt: 1 },
      inputAmount: 1_000n,
      remaining: 750n,
      received: 40n,
      expiresAt: NEVER,
    });
    expect(await fetchElements([order], new Map([[order.account, 750n]]))).toEqual([
      {
        type: 'trade',
        label: 'SmartDCA',
        inputMint: order.inputMint,
        outputMint: order.outputMint,
        initialInput: 1_000n,
        remainingInput: 750n,
        heldOutput: 0n,
        withdrawnOutput: 40n,
        createdAt: order.createdAt,
        recurring: { cycles: 4, interval: 3_600_000 },
        ref: order.account,
        sourceRefs: [{ name: 'Vault', address: order.vault }],
        link: 'https://jup.ag/trigger/',
      },
    ]);
  });

  it('shows an OTOCO as what it sells, with what it has bought, and then as the sale of that for its input', async () => {
    const order = createOpenOrder(1, { plan: OTOCO, inputAmount: 1_000n, remaining: 400n, bought: 60n });
    const buying = { ...order, unsold: 60n };
    const accounts = new Map([
      [order.account, 400n],
      [OTOCO.outputAccount, 60n],
    ]);
    const shown = { label: 'LimitOrder', ref: order.account, expireAt: order.expiresAt };
    expect(await fetchElements([buying], accounts)).toMatchObject([
      {
        ...shown,
        inputMint: order.inputMint,
        outputMint: order.outputMint,
        initialInput: 1_000n,
        remainingInput: 400n,
        heldOutput: 60n,
        withdrawnOutput: 0n,
      },
    ]);
    const selling = { ...createOpenOrder(2, { plan: OTOCO }), remaining: 0n, bought: 100n, unsold: 30n };
    await test.store.db.delete(waitingOrders);
    accounts.set(order.account, 0n).set(OTOCO.outputAccount, 30n);
    expect(await fetchElements([{ ...selling, received: 900n }], accounts)).toMatchObject([
      {
        ...shown,
        inputMint: order.outputMint,
        outputMint: order.inputMint,
        initialInput: 100n,
        remainingInput: 30n,
        heldOutput: 0n,
        withdrawnOutput: 900n,
      },
    ]);
  });

  it('shows the shares of an order that earns as what they are worth', async () => {
    const earnMint = address('9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D');
    const plan = {
      kind: 'time_based',
      rounds: 2,
      intervalMs: 60_000,
      beginAt: 1,
      band: null,
      earnMint,
    } as const;
    const order = createOpenOrder(1, { plan, rounds: { filled: 0, nextAt: 1, lastAt: null } });
    const earn = { find: () => ({ earnMint, rate: 1_250_000_000_000n }) };
    expect(await fetchElements([order], new Map([[order.account, 80n]]), earn)).toMatchObject([
      { inputMint: order.inputMint, remainingInput: 100n },
    ]);
  });

  it('shows a deposit once it has landed, because until then the wallet has its tokens', async () => {
    const order = createOpenOrder(1, { state: 'depositing' });
    expect(await fetchElements([order], new Map())).toEqual([]);
    expect(await fetchElements([], new Map([[order.account, 5n]]))).toMatchObject([{ remainingInput: 5n }]);
  });

  it.each(['executing', 'ready_to_cancel', 'withdrawing', 'expired'] as const)(
    'shows an order that is %s as long as its account has tokens',
    async (state) => {
      const order = createOpenOrder(1, { state });
      expect(await fetchElements([order], new Map([[order.account, 5n]]))).toHaveLength(1);
      expect(await fetchElements([], new Map([[order.account, 0n]]))).toEqual([]);
    },
  );

  it('shows no order of another network on the same database', async () => {
    const order = createOpenOrder(1);
    await insertTestOrders(test.store, [order], 'another network');
    expect(await fetchElements([], new Map([[order.account, 5n]]))).toEqual([]);
  });

  it('shows no order of another wallet, and none that has ended', async () => {
    const ended = createOpenOrder(1, { state: 'fill_success' });
    const other = createOpenOrder(2, { wallet: address('Vote111111111111111111111111111111111111111') });
    expect(await fetchElements([ended, other], new Map([[ended.account, 5n]]))).toEqual([]);
  });
});

/** Buys below 210 dollars, and sells again at 230 or 190. */
const OTOCO = {
  kind: 'otoco',
  triggerMint: createOpenOrder(1).inputMint,
  condition: 'below',
  triggerPrice: 210,
  slippageBps: null,
  takeProfit: { triggerPrice: 230, slippageBps: null },
  stopLoss: { triggerPrice: 190, slippageBps: null },
  outputAccount: address('9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D'),
} as const;

/** Stores the orders, and fetches the positions of the wallet from accounts with these balances. */
async function fetchElements(
  orders: readonly WaitingOrder[],
  balances: ReadonlyMap<string, bigint>,
  earn?: Pick<EarnProgram, 'find'>,
) {
  for (const order of orders) await insertStoredOrder(test.store.db, order);
  const source = { db: test.store.db, network: TEST_NETWORK, rows: new OrderRowReader() };
  const view = new TestView();
  for (const [account, balance] of balances) {
    view.set(address(account), TOKEN_PROGRAM, writeTestTokenAccount(createOpenOrder(1).inputMint, balance));
  }
  return (await fetchForWallet(createOrderPositions(source, earn), view, ORDER_WALLET)).elements;
}
