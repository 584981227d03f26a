import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { JUP, SOL, USDC } from '../mints.ts';
import {
  cancelOrder,
  execute,
  findListed,
  type Json,
  listOrders,
  openOrder,
  refusal,
} from './recurring-requests.ts';

/** What public clients demand of an order, as texts. */
const TEXTS = [
  ...['userPubkey', 'orderKey', 'inputMint', 'outputMint', 'cycleFrequency', 'openTx', 'closeTx'],
  ...['createdAt', 'updatedAt', 'inDeposited', 'inWithdrawn', 'inUsed', 'inAmountPerCycle', 'outReceived'],
  ...['outWithdrawn', 'minOutAmount', 'maxOutAmount', 'rawInDeposited', 'rawInWithdrawn', 'rawInUsed'],
  ...['rawInAmountPerCycle', 'rawOutReceived', 'rawOutWithdrawn', 'rawMinOutAmount', 'rawMaxOutAmount'],
];

export const recurringListStatements: readonly Statement[] = [
  {
    id: 'recurring/list',
    says: 'An open order is listed under `time`, beside two empty lists, with texts where strict clients read texts.',
    check: async (world) => {
      const order = await openOrder(world);
      const { answer, found } = await findListed(world, order);
      if (found === null) return difference(answer, { status: 400 });
      const untexted = TEXTS.filter((name) => typeof found[name] !== 'string');
      const { price, all, totalPages, page } = answer.json;
      return firstOf(
        unless(untexted.length === 0 && found.userClosed === false && Array.isArray(found.trades), found),
        unless(
          found.inDeposited === '104.000001' &&
            found.rawInDeposited === '104000001' &&
            found.inAmountPerCycle === '52' &&
            found.cycleFrequency === '86400' &&
            found.inputMint === USDC &&
            found.outputMint === JUP &&
            found.userPubkey === world.wallet.address &&
            found.closeTx === '',
          found,
        ),
        unless(`${price}${all}` === '' && totalPages >= 1 && page === 1, answer.json),
      );
    },
  },
  {
    id: 'recurring/list-all',
    says: 'With `recurringType=all` the orders are under `all`, with their kind; there are none under `price`.',
    check: async (world) => {
      const order = await openOrder(world);
      const { answer, found } = await findListed(world, order, { recurringType: 'all' });
      const priced = await listOrders(world, { recurringType: 'price' });
      return firstOf(
        unless(found?.recurringType === 'time' && `${answer.json.time}` === '', answer.json),
        difference(priced, { status: 200, body: { time: [], price: [], all: [], totalPages: 1, page: 1 } }),
      );
    },
  },
  {
    id: 'recurring/history',
    says: 'A cancelled order is listed under `history`, with what was given back and the transaction that closed it.',
    check: async (world) => {
      const order = await openOrder(world);
      const closed = await execute(world, (await cancelOrder(world, order)).json);
      const { answer, found } = await findListed(world, order, { orderStatus: 'history' });
      const active: readonly Json[] = (await listOrders(world)).json?.time ?? [];
      return firstOf(
        unless(found?.closeTx === closed.json?.signature && found?.userClosed === true, found ?? answer.json),
        unless(found?.rawInWithdrawn === '104000001', found),
        unless(
          active.every(({ orderKey }) => orderKey !== order),
          active,
        ),
      );
    },
  },
  {
    id: 'recurring/fill',
    says: 'A cycle that is due is filled by the keeper and paid out at once. It is a trade, whose fee is 0.1 % of what was paid.',
    check: async (world) => {
      const order = await openOrder(world, { startAt: null });
      const { answer, found } = await findListed(world, order, {}, ({ trades }) => trades.length > 0);
      if (found === null) return difference(answer, { status: 400 });
      const [trade] = found.trades;
      const paid = BigInt(trade.rawOutputAmount) + BigInt(trade.rawFeeAmount);
      return firstOf(
        unless(found.rawInUsed === '52000000' && trade.rawInputAmount === '52000000', found),
        unless(found.rawOutReceived === trade.rawOutputAmount && trade.feeMint === JUP, found),
        unless(found.rawOutWithdrawn === found.rawOutReceived && trade.action === 'Fill', found),
        unless(BigInt(trade.rawFeeAmount) === (paid * 10n + 9_999n) / 10_000n, trade),
      );
    },
  },
  {
    id: 'recurring/list-mint',
    says: '`mint` lists the orders that sell or buy a token.',
    check: async (world) => {
      const order = await openOrder(world);
      const { found } = await findListed(world, order, { mint: JUP });
      const others: readonly Json[] = (await listOrders(world, { mint: SOL })).json?.time ?? [];
      return firstOf(
        unless(found !== null, found),
        unless(
          others.every(({ orderKey }) => orderKey !== order),
          others,
        ),
      );
    },
  },
  {
    id: 'recurring/list-null',
    says: '`page` and `mint` may be left out, empty or `null`.',
    check: async (world) =>
      firstOf(
        difference(await listOrders(world), { status: 200, body: { page: 1 } }),
        difference(await listOrders(world, { page: '', mint: '' }), { status: 200, body: { page: 1 } }),
        difference(await listOrders(world, { page: 'null', mint: 'null' }), {
          status: 200,
          body: { page: 1 },
        }),
      ),
  },
  {
    id: 'recurring/list-required',
    says: 'A list without `includeFailedTx` is a 400.',
    check: async (world) => refusal(await listOrders(world, { includeFailedTx: '' }), /includeFailedTx/),
  },
];
