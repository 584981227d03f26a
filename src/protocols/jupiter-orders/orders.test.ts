import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { TradeElement } from '../../protocol/positions/element.ts';
import type { Fetched } from '../../protocol/positions/fetcher.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import {
  type LayoutField,
  fetchForWallet,
  writeTestTokenAccount,
  writeAccountData,
} from '../../testing/protocols/accounts.ts';
import { LIMIT_ORDER_PROGRAM } from '../jupiter-limit-order/program.ts';
import { jupiterLimitOrders } from './limit.ts';
import { jupiterLimitOrdersV1 } from './limit-v1.ts';
import { LIMIT_ORDER_V1_PROGRAM } from './limit-v1-layout.ts';
import { jupiterValueAverageOrders } from './value-average.ts';
import { VALUE_AVERAGE_PROGRAM } from './value-average-layout.ts';

describe('jupiterLimitOrders', () => {
  it('counts what was filled as withdrawn, because a fill pays the maker at once', async () => {
    const view = new TestView();
    view.set(ORDER, LIMIT_ORDER_PROGRAM, order);
    view.set(RESERVE, TOKEN_PROGRAM, writeTestTokenAccount(INPUT, 800n));
    const fetched = await fetchForWallet(jupiterLimitOrders, view, OWNER);
    expect(fetched.unreadable).toEqual([]);
    expect(tradesOf(fetched)).toMatchObject([
      {
        inputMint: INPUT,
        outputMint: OUTPUT,
        initialInput: 1_000n,
        remainingInput: 800n,
        heldOutput: 0n,
        withdrawnOutput: 100n,
        expectedOutput: 500n,
        createdAt: 1_799_000_000_000,
        expireAt: 1_800_000_100_000,
        ref: ORDER,
      },
    ]);
  });

  it('leaves out an order whose reserve is empty', async () => {
    const view = new TestView();
    view.set(ORDER, LIMIT_ORDER_PROGRAM, order);
    view.set(RESERVE, TOKEN_PROGRAM, writeTestTokenAccount(INPUT, 0n));
    expect((await fetchForWallet(jupiterLimitOrders, view, OWNER)).elements).toEqual([]);
  });

  /** An order over 1,000 atoms for 500, of which a fifth was filled. */
  const order = writeAccountData(320, '86addfb94d561c33', [
    [8, 'address', OWNER],
    [40, 'address', INPUT],
    [72, 'address', OUTPUT],
    [168, 'address', RESERVE],
    [208, 'u64', 1_000n],
    [216, 'u64', 500n],
    [224, 'u64', 800n],
    [232, 'u64', 400n],
    [248, 'u8', 1],
    [249, 'i64', 1_800_000_100n],
    [291, 'i64', 1_799_000_000n],
  ]);
});

describe('jupiterLimitOrdersV1', () => {
  it('shows what is left of the input, tagged as deprecated', async () => {
    const view = new TestView();
    view.set(ORDER, LIMIT_ORDER_V1_PROGRAM, order());
    view.set(RESERVE, TOKEN_PROGRAM, writeTestTokenAccount(INPUT, 750n));
    const fetched = await fetchForWallet(jupiterLimitOrdersV1, view, OWNER);
    expect(fetched.unreadable).toEqual([]);
    expect(fetched.elements).toEqual([
      {
        type: 'trade',
        label: 'LimitOrder',
        tags: ['deprecated'],
        inputMint: INPUT,
        outputMint: OUTPUT,
        initialInput: 1_000n,
        remainingInput: 750n,
        heldOutput: 0n,
        withdrawnOutput: 125n,
        expectedOutput: 500n,
        contract: LIMIT_ORDER_V1_PROGRAM,
        ref: ORDER,
        link: 'https://jup.ag/trigger/',
      },
    ]);
  });

  it('says when an order expires, and leaves out one whose reserve was closed', async () => {
    const view = new TestView();
    const expiring: LayoutField[] = [
      [241, 'u8', 1],
      [242, 'i64', 1_800_000_100n],
    ];
    view.set(ORDER, LIMIT_ORDER_V1_PROGRAM, order(expiring));
    expect((await fetchForWallet(jupiterLimitOrdersV1, view, OWNER)).elements).toEqual([]);
    view.set(RESERVE, TOKEN_PROGRAM, writeTestTokenAccount(INPUT, 1n));
    const [trade] = tradesOf(await fetchForWallet(jupiterLimitOrdersV1, view, OWNER));
    expect(trade?.expireAt).toBe(1_800_000_100_000);
  });

  it('reads orders beside accounts of the wallet that are no orders', async () => {
    const view = new TestView();
    view.set(ORDER, LIMIT_ORDER_V1_PROGRAM, order());
    view.set(RESERVE, TOKEN_PROGRAM, writeTestTokenAccount(INPUT, U64_MAX));
    view.set(named(20), LIMIT_ORDER_V1_PROGRAM, order().subarray(0, 200));
    view.set(
      named(21),
      LIMIT_ORDER_V1_PROGRAM,
      writeAccountData(315, 'ffddfb94d561c333', [[8, 'address', OWNER]]),
    );
    const { elements, unreadable } = await fetchForWallet(jupiterLimitOrdersV1, view, OWNER);
    expect(elements).toHaveLength(1);
    expect(unreadable?.map(({ address }) => address)).toEqual([named(20), named(21)]);
  });

  /** An order over 1,000 atoms for 500, of which a quarter was filled. */
  const order = (expiry: readonly LayoutField[] = []) =>
    writeAccountData(315, '86addfb94d561c33', [
      [8, 'address', OWNER],
      [40, 'address', INPUT],
      [72, 'address', OUTPUT],
      [104, 'u8', 1],
      [105, 'u64', 1_000n],
      [113, 'u64', 500n],
      [121, 'u64', 750n],
      [129, 'u64', 375n],
      [201, 'address', RESERVE],
      ...expiry,
    ]);
});

describe('jupiterValueAverageOrders', () => {
  it('shows what is left, what was bought and not withdrawn, and what was withdrawn', async () => {
    const { elements, unreadable } = await fetchForWallet(
      jupiterValueAverageOrders,
      opened(600n, 40n),
      OWNER,
    );
    expect(unreadable).toEqual([]);
    expect(elements).toEqual([
      {
        type: 'trade',
        label: 'SmartDCA',
        inputMint: INPUT,
        outputMint: OUTPUT,
        initialInput: 900n,
        remainingInput: 600n,
        heldOutput: 40n,
        withdrawnOutput: 20n,
        createdAt: 1_799_000_000_000,
        contract: VALUE_AVERAGE_PROGRAM,
        ref: ORDER,
        link: 'https://jup.ag/recurring/',
      },
    ]);
  });

  it('shows no more than the vaults hold', async () => {
    const [partly] = tradesOf(await fetchForWallet(jupiterValueAverageOrders, opened(599n, 39n), OWNER));
    expect(partly).toMatchObject({ remainingInput: 599n, heldOutput: 39n });
    const huge = order([
      [275, 'u64', U64_MAX],
      [291, 'u64', U64_MAX],
      [299, 'u64', U64_MAX],
      [307, 'u64', 0n],
    ]);
    const [bounded] = tradesOf(await fetchForWallet(jupiterValueAverageOrders, opened(1n, 2n, huge), OWNER));
    expect(bounded).toMatchObject({ initialInput: 0n, remainingInput: 1n, heldOutput: 2n });
    const closed = new TestView();
    closed.set(ORDER, VALUE_AVERAGE_PROGRAM, order());
    const [over] = tradesOf(await fetchForWallet(jupiterValueAverageOrders, closed, OWNER));
    expect(over).toMatchObject({ remainingInput: 0n, heldOutput: 0n });
  });

  it('reads orders beside one that cannot be read', async () => {
    const view = opened(600n, 40n);
    view.set(named(20), VALUE_AVERAGE_PROGRAM, writeAccountData(339, '00', [[18, 'address', OWNER]]));
    const { elements, unreadable } = await fetchForWallet(jupiterValueAverageOrders, view, OWNER);
    expect(elements).toHaveLength(1);
    expect(unreadable?.map(({ address }) => address)).toEqual([named(20)]);
  });

  /** Deposited 1,000 atoms and took 100 back; 300 of the rest bought 60, of which 20 were withdrawn. */
  const order = (fields: readonly LayoutField[] = []) =>
    writeAccountData(339, 'ce0dc465ef5662ae', [
      [18, 'address', OWNER],
      [50, 'address', INPUT],
      [82, 'address', OUTPUT],
      [130, 'address', RESERVE],
      [162, 'address', OTHER_RESERVE],
      [259, 'i64', 1_799_000_000n],
      [267, 'u64', 1_000n],
      [275, 'u64', 600n],
      [283, 'u64', 300n],
      [291, 'u64', 100n],
      [299, 'u64', 60n],
      [307, 'u64', 20n],
      ...fields,
    ]);
  const opened = (input: bigint, output: bigint, data = order()) => {
    const view = new TestView();
    view.set(ORDER, VALUE_AVERAGE_PROGRAM, data);
    view.set(RESERVE, TOKEN_PROGRAM, writeTestTokenAccount(INPUT, input));
    view.set(OTHER_RESERVE, TOKEN_PROGRAM, writeTestTokenAccount(OUTPUT, output));
    return view;
  };
});

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const [OWNER, INPUT, OUTPUT, ORDER, RESERVE, OTHER_RESERVE] = [
  named(1),
  named(2),
  named(3),
  named(4),
  named(5),
  named(6),
];
const U64_MAX = (1n << 64n) - 1n;

const tradesOf = ({ elements }: Fetched) => elements as readonly TradeElement[];
