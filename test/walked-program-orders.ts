import type { AccountUpdate } from '../src/chain/accounts.ts';
import { createProgramOrderLists } from '../src/program-orders/lists/program-order-lists.ts';
import { type DcaOrder, encodeDcaOrder } from '../src/protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM } from '../src/protocols/jupiter-dca/dca-program.ts';
import { encodeLimitOrder, type LimitOrder } from '../src/protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../src/protocols/jupiter-limit-order/program.ts';
import type { Address } from '../src/solana/address.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { CROWDED_WALLET, type Meter, numberedAddress } from './crowded-wallet.ts';
import type { Walk } from './walked-lists.ts';

/** Open orders of one wallet, and those that one request cancels. */
const [OPEN, CANCELLED] = [2_000, 80] as const;

function chainOf(meter: Meter, program: Address, encode: () => Uint8Array) {
  const toUpdate = (address: Address): AccountUpdate => ({
    address,
    slot: 1n,
    account: meter.account(program, encode),
  });
  return {
    getProgramAccounts: async () =>
      Array.from({ length: OPEN }, (_, index) => toUpdate(numberedAddress(7, index))),
    getAccounts: async (asked: readonly Address[]) => asked.map(toUpdate),
  };
}

/** None of them is an order of the wallet that asks, so that none of their transactions is made. */
const limitChain = (meter: Meter) => chainOf(meter, LIMIT_ORDER_PROGRAM, () => encodeLimitOrder(LIMIT));
const dcaChain = (meter: Meter) => chainOf(meter, DCA_PROGRAM, () => encodeDcaOrder(DCA));

function limitServices(meter: Meter) {
  const chain = limitChain(meter);
  const transactions = { chain: { ...chain, ...NO_MINTS } };
  return { limitOrders: { lists: createProgramOrderLists({ chain, recorded: null }), transactions } };
}

function cancelServices(meter: Meter) {
  return { limitOrders: { lists: {}, transactions: { chain: limitChain(meter) } } };
}

const ACCOUNTS = {
  ...{
    inputMint: numberedAddress(9, 1),
    outputMint: numberedAddress(9, 2),
    inAccount: numberedAddress(9, 3),
  },
  ...{
    inputTokenProgram: TOKEN_PROGRAM,
    outputTokenProgram: TOKEN_PROGRAM,
    outAccount: numberedAddress(9, 4),
  },
  ...{ inputReserve: numberedAddress(9, 5), feeAccount: numberedAddress(9, 6) },
};
const LIMIT: LimitOrder = {
  ...ACCOUNTS,
  ...{ maker: numberedAddress(9, 7), uniqueId: 1n, originalMaking: 5n, originalTaking: 5n, making: 5n },
  ...{ taking: 5n, borrowedMaking: 0n, expiredAt: null, feeBps: 10, createdAt: 1n, updatedAt: 1n, bump: 255 },
  ...{ slippageBps: 0, stopLossTaking: 0n },
};
const DCA: DcaOrder = {
  ...ACCOUNTS,
  ...{ user: CROWDED_WALLET, idx: 1n, nextCycleAt: 1n, inDeposited: 5n, inWithdrawn: 0n, outWithdrawn: 0n },
  ...{ inUsed: 0n, outReceived: 0n, inAmountPerCycle: 1n, cycleFrequency: 60n, nextCycleAmountLeft: 1n },
  ...{ minOutAmount: 0n, maxOutAmount: 0n, keeperInBalanceBeforeBorrow: 0n, dcaOutBalanceBeforeSwap: 0n },
  ...{ createdAt: 1n, bump: 255 },
};
const NO_MINTS = { getAccounts: async () => [] };
const ORDERS = Array.from({ length: CANCELLED }, (_, index) => numberedAddress(8, index));

/** What endpoints look at of orders in programs that is longer than a turn, and the worst request for it. */
export const WALKED_PROGRAM_ORDERS: Readonly<Record<string, Walk>> = {
  'GET /trigger/v1/getTriggerOrders': {
    services: limitServices,
    request: { query: { user: CROWDED_WALLET, orderStatus: 'active' } },
    total: OPEN,
  },
  'GET /recurring/v1/getRecurringOrders': {
    services: (meter) => ({
      lists: createProgramOrderLists({ chain: dcaChain(meter), recorded: null }),
      chain: NO_MINTS,
    }),
    request: {
      query: { user: CROWDED_WALLET, orderStatus: 'active', recurringType: 'time', includeFailedTx: 'false' },
    },
    total: OPEN,
  },
  'POST /trigger/v1/cancelOrders': {
    services: cancelServices,
    request: { body: { maker: CROWDED_WALLET } },
    total: OPEN,
  },
  'POST /trigger/v1/cancelOrder': {
    services: cancelServices,
    request: { body: { maker: CROWDED_WALLET, order: ORDERS.join(',') } },
    total: CANCELLED,
  },
};
