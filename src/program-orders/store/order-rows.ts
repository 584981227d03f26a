import type { Address } from '../../solana/address.ts';
import type { ProgramOrderTrade, ShownDcaOrder, ShownLimitOrder } from '../program-order.ts';
import type { programOrders, programOrderTrades } from './program-order-tables.ts';

/** An order as it is recorded. Its trades have rows of their own. */
export type RecordedLimitOrder = Omit<ShownLimitOrder, 'trades'>;
export type RecordedDcaOrder = Omit<ShownDcaOrder, 'trades'>;

export type RecordedOrder = RecordedLimitOrder | RecordedDcaOrder;

type ProgramOrderRow = typeof programOrders.$inferSelect;
/** Of an order that no transaction opened, as far as the record knows. */
const NO_SIGNATURE = '';
/** The columns of one program, in an order of the other one. */
const NO_LIMIT_ORDER = {
  making: null,
  taking: null,
  remainingMaking: null,
  remainingTaking: null,
  slippageBps: null,
  feeBps: null,
  expiredAt: null,
};
const NO_DCA_ORDER = {
  inDeposited: null,
  inWithdrawn: null,
  inUsed: null,
  outReceived: null,
  outWithdrawn: null,
  inAmountPerCycle: null,
  cycleFrequency: null,
  minOutAmount: null,
  maxOutAmount: null,
};

/** Returns all columns of an order except where it stands: its network, its number, and the number of its trades. */
export function toOrderColumns(order: RecordedOrder): Omit<ProgramOrderRow, 'network' | 'number' | 'trades'> {
  const shared = {
    program: order.program,
    address: order.address,
    maker: order.maker,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    createdAt: Number(order.createdAt),
    updatedAt: Number(order.updatedAt),
    openSignature: order.openSignature ?? NO_SIGNATURE,
    closeSignature: order.closeSignature,
  };
  if (order.program === 'limit-order') {
    return {
      ...shared,
      ...NO_DCA_ORDER,
      state: order.state,
      making: String(order.making),
      taking: String(order.taking),
      remainingMaking: String(order.remainingMaking),
      remainingTaking: String(order.remainingTaking),
      slippageBps: order.slippageBps,
      feeBps: order.feeBps,
      expiredAt: order.expiredAt === null ? null : String(order.expiredAt),
    };
  }
  return {
    ...shared,
    ...NO_LIMIT_ORDER,
    state: toDcaState(order),
    inDeposited: String(order.inDeposited),
    inWithdrawn: String(order.inWithdrawn),
    inUsed: String(order.inUsed),
    outReceived: String(order.outReceived),
    outWithdrawn: String(order.outWithdrawn),
    inAmountPerCycle: String(order.inAmountPerCycle),
    cycleFrequency: String(order.cycleFrequency),
    minOutAmount: String(order.minOutAmount),
    maxOutAmount: String(order.maxOutAmount),
  };
}

function toDcaState({ closeSignature, userClosed }: RecordedDcaOrder): string {
  if (closeSignature === null) return 'open';
  return userClosed ? 'closed_by_user' : 'completed';
}

/** Reads a row of either program. */
export function readOrderRow(row: ProgramOrderRow): RecordedOrder {
  return row.program === 'limit-order' ? readLimitOrderRow(row) : readDcaOrderRow(row);
}

/** @throws Error when the row is not one of a limit order. */
export function readLimitOrderRow(row: ProgramOrderRow): RecordedLimitOrder {
  const { state, slippageBps, feeBps, expiredAt } = row;
  if (state !== 'open' && state !== 'filled' && state !== 'cancelled') throw createUnreadable(row, 'state');
  if (slippageBps === null || feeBps === null) throw createUnreadable(row, 'rates');
  return {
    program: 'limit-order',
    ...readFacts(row),
    making: readAmount(row, 'making'),
    taking: readAmount(row, 'taking'),
    remainingMaking: readAmount(row, 'remainingMaking'),
    remainingTaking: readAmount(row, 'remainingTaking'),
    slippageBps,
    feeBps,
    expiredAt: expiredAt === null ? null : BigInt(expiredAt),
    state,
  };
}

/** @throws Error when the row is not one of a DCA order. */
export function readDcaOrderRow(row: ProgramOrderRow): RecordedDcaOrder {
  return {
    program: 'dca',
    ...readFacts(row),
    inDeposited: readAmount(row, 'inDeposited'),
    inWithdrawn: readAmount(row, 'inWithdrawn'),
    inUsed: readAmount(row, 'inUsed'),
    outReceived: readAmount(row, 'outReceived'),
    outWithdrawn: readAmount(row, 'outWithdrawn'),
    inAmountPerCycle: readAmount(row, 'inAmountPerCycle'),
    cycleFrequency: readAmount(row, 'cycleFrequency'),
    minOutAmount: readAmount(row, 'minOutAmount'),
    maxOutAmount: readAmount(row, 'maxOutAmount'),
    userClosed: row.state === 'closed_by_user',
  };
}

function readFacts(row: ProgramOrderRow) {
  return {
    address: row.address as Address,
    maker: row.maker as Address,
    inputMint: row.inputMint as Address,
    outputMint: row.outputMint as Address,
    createdAt: BigInt(row.createdAt),
    updatedAt: BigInt(row.updatedAt),
    openSignature: row.openSignature === NO_SIGNATURE ? null : row.openSignature,
    closeSignature: row.closeSignature,
  };
}

function readAmount(row: ProgramOrderRow, column: keyof ProgramOrderRow): bigint {
  const value = row[column];
  if (typeof value !== 'string') throw createUnreadable(row, column);
  return BigInt(value);
}

function createUnreadable({ program, number }: ProgramOrderRow, column: string): Error {
  return new Error(`the row of order ${number} of ${program} has a ${column} that cannot be read`);
}

/** Reads the row of a trade. */
export function readTradeRow(row: typeof programOrderTrades.$inferSelect): ProgramOrderTrade {
  return {
    keeper: row.keeper as Address,
    inputAmount: BigInt(row.inputAmount),
    outputAmount: BigInt(row.outputAmount),
    feeAmount: BigInt(row.feeAmount),
    signature: row.signature,
    at: BigInt(row.at),
  };
}
