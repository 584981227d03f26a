import { decodeFromChain } from '../../chain/chain.ts';
import { compareTexts } from '../../common/compare-texts.ts';
import { mapInTurns, sortInTurns, type Work } from '../../common/work/work.ts';
import { DCA_ORDER_SIZE, DCA_USER_AT, decodeDcaOrder } from '../../protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM } from '../../protocols/jupiter-dca/dca-program.ts';
import {
  decodeLimitOrder,
  LIMIT_ORDER_MAKER_AT,
  LIMIT_ORDER_SIZE,
} from '../../protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../../protocols/jupiter-limit-order/program.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import type {
  ProgramOrderQuery,
  ShownDcaOrder,
  ShownLimitOrder,
  ShownProgramOrder,
} from '../program-order.ts';
import type { OrderSearchChain } from './shared-searches.ts';

/** What only records say of an order that is open. */
type RecordedPart = 'openSignature' | 'trades';

/** An order as the chain holds it. */
export type OpenLimitOrder = Omit<ShownLimitOrder, RecordedPart>;
export type OpenDcaOrder = Omit<ShownDcaOrder, RecordedPart>;

/**
 * Reads the open limit orders of a maker from the chain, as of the newest confirmed block.
 *
 * @throws ChainUnavailable when the network does not answer.
 */
export async function fetchOpenLimitOrders(
  chain: OrderSearchChain,
  maker: Address,
  work: Work,
): Promise<readonly OpenLimitOrder[]> {
  const memcmp = { offset: LIMIT_ORDER_MAKER_AT, bytes: toAddressBytes(maker) };
  const filter = { dataSize: LIMIT_ORDER_SIZE, memcmp };
  const found = await chain.getProgramAccounts(LIMIT_ORDER_PROGRAM, 'confirmed', filter);
  const orders = await mapInTurns(work, found, ({ address, account }) =>
    account === null ? [] : [readOpenLimitOrder(address, account.data)],
  );
  return orders.flat();
}

/** @throws ChainUnavailable when the account cannot be decoded. */
export function readOpenLimitOrder(address: Address, data: Uint8Array): OpenLimitOrder {
  const order = decodeFromChain(address, () => decodeLimitOrder(data));
  return {
    program: 'limit-order',
    address,
    maker: order.maker,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    making: order.originalMaking,
    taking: order.originalTaking,
    remainingMaking: order.making,
    remainingTaking: order.taking,
    slippageBps: order.slippageBps,
    feeBps: order.feeBps,
    expiredAt: order.expiredAt,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    closeSignature: null,
    state: 'open',
  };
}

/**
 * Reads the open DCA orders of a user from the chain, as of the newest confirmed block. The chain does not hold when an order was
 * changed, so that the time is that of its creation.
 *
 * @throws ChainUnavailable when the network does not answer.
 */
export async function fetchOpenDcaOrders(
  chain: OrderSearchChain,
  user: Address,
  work: Work,
): Promise<readonly OpenDcaOrder[]> {
  const memcmp = { offset: DCA_USER_AT, bytes: toAddressBytes(user) };
  const filter = { dataSize: DCA_ORDER_SIZE, memcmp };
  const found = await chain.getProgramAccounts(DCA_PROGRAM, 'confirmed', filter);
  const orders = await mapInTurns(work, found, ({ address, account }) =>
    account === null ? [] : [readOpenDcaOrder(address, account.data)],
  );
  return orders.flat();
}

/** @throws ChainUnavailable when the account cannot be decoded. */
export function readOpenDcaOrder(address: Address, data: Uint8Array): OpenDcaOrder {
  const order = decodeFromChain(address, () => decodeDcaOrder(data));
  return {
    program: 'dca',
    address,
    maker: order.user,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    inDeposited: order.inDeposited,
    inWithdrawn: order.inWithdrawn,
    inUsed: order.inUsed,
    outReceived: order.outReceived,
    outWithdrawn: order.outWithdrawn,
    inAmountPerCycle: order.inAmountPerCycle,
    cycleFrequency: order.cycleFrequency,
    minOutAmount: order.minOutAmount,
    maxOutAmount: order.maxOutAmount,
    createdAt: order.createdAt,
    updatedAt: order.createdAt,
    closeSignature: null,
    userClosed: false,
  };
}

/** What a page is selected and sorted by. */
type SelectedFields = Pick<ShownProgramOrder, 'address' | 'inputMint' | 'outputMint' | 'createdAt'>;

/** Selects a page of open orders, the newest first. */
export async function selectOpenOrders<Order extends SelectedFields>(
  orders: readonly Order[],
  { inputMint, outputMint, anyMint, page, perPage }: ProgramOrderQuery,
  work: Work,
): Promise<{ readonly orders: readonly Order[]; readonly total: number }> {
  const selected = orders
    .filter((order) => inputMint === null || order.inputMint === inputMint)
    .filter((order) => outputMint === null || order.outputMint === outputMint)
    .filter((order) => anyMint === null || order.inputMint === anyMint || order.outputMint === anyMint);
  const sorted = await sortInTurns(work, selected, compareNewestFirst);
  const from = (page - 1) * perPage;
  return { orders: sorted.slice(from, from + perPage), total: sorted.length };
}

function compareNewestFirst(one: SelectedFields, other: SelectedFields): number {
  if (one.createdAt === other.createdAt) return compareTexts(one.address, other.address);
  return one.createdAt > other.createdAt ? -1 : 1;
}
