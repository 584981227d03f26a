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
import type { WaitingOrder } from '../waiting-order.ts';
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
