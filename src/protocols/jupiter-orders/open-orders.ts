import { type Address, toAddressBytes } from '../../solana/address.ts';
import type { TradeElement } from '../../protocol/positions/element.ts';
import { type Fetched, readEach, type WalletReader } from '../../protocol/positions/fetcher.ts';
import { readTokenBalance } from '../../protocol/positions/token-balance.ts';
import type { LimitOrder } from '../jupiter-limit-order/layout.ts';

/** The fields that limit orders of both versions have. */
export type AnyLimitOrder = Pick<
  LimitOrder,
  'inputMint' | 'outputMint' | 'originalMaking' | 'making' | 'originalTaking' | 'taking' | 'expiredAt'
>;

/** A program of limit orders, and how its accounts are read. */
export interface OrderKind<Order> {
  readonly program: Address;
  /** The offset of the owner in an order. */
  readonly ownerAt: number;
  readonly decode: (data: Uint8Array) => Order;
  /** Returns the account that holds the input. */
  readonly reserveOf: (order: Order) => Address;
  readonly elementOf: (order: Order, address: Address) => TradeElement;
}

/**
 * Finds the wallet's orders in a program. One with an empty reserve was cancelled or filled, although its account may still
 * exist.
 */
export async function findOpenOrders<Order>(wallet: WalletReader, kind: OrderKind<Order>): Promise<Fetched> {
  const memcmp = { offset: kind.ownerAt, bytes: toAddressBytes(wallet.owner) };
  const found = await wallet.programAccounts(kind.program, { memcmp });
  const { positions, unreadable } = readEach(found, ({ address, account }) => ({
    address,
    order: kind.decode(account.data),
  }));
  const reserves = await wallet.accounts(positions.map(({ order }) => kind.reserveOf(order)));
  const elements = positions.flatMap(({ order, address }, index) =>
    readTokenBalance(reserves[index] ?? null) === 0n ? [] : [kind.elementOf(order, address)],
  );
  return { elements, unreadable };
}

/** Returns the element of a limit order, with the fields that both versions have. */
export function createLimitOrderElement(
  program: Address,
  address: Address,
  order: AnyLimitOrder,
): TradeElement {
  const { originalTaking, taking, expiredAt } = order;
  return {
    type: 'trade',
    label: 'LimitOrder',
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    initialInput: order.originalMaking,
    remainingInput: order.making,
    // A fill pays the maker at once, so the order never holds any output.
    heldOutput: 0n,
    withdrawnOutput: originalTaking > taking ? originalTaking - taking : 0n,
    expectedOutput: originalTaking,
    ...(expiredAt === null ? {} : { expireAt: Number(expiredAt) * 1_000 }),
    contract: program,
    ref: address,
    link: 'https://jup.ag/trigger/',
  };
}
