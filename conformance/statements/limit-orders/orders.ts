import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { SOL, USDC } from '../mints.ts';
import { createOrder, execute, findListed, listOrders, ORDER, placeOrder, post } from './limit-requests.ts';

const PROGRAM = 'j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X';
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

export const limitOrderStatements: readonly Statement[] = [
  {
    id: 'limit-orders/create',
    says: '`createOrder` answers `requestId`, `transaction` and `order`, and a `code` that strict clients read.',
    check: async (world) => {
      const { status, json } = await createOrder(world);
      const isText = ['requestId', 'transaction', 'order'].every((name) => typeof json?.[name] === 'string');
      return unless(status === 200 && isText && json.code === 0 && json.error === undefined, json);
    },
  },
  {
    id: 'limit-orders/fields',
    says: '`slippageBps`, `computeUnitPrice` and `wrapAndUnwrapSol` may be given, as texts or numbers.',
    check: async (world) =>
      firstOf(
        difference(await createOrder(world, { slippageBps: '50' }), { status: 200 }),
        difference(await createOrder(world, { slippageBps: 50 }, { computeUnitPrice: '1000' }), {
          status: 200,
        }),
        difference(await createOrder(world, {}, { computeUnitPrice: 1_000, wrapAndUnwrapSol: false }), {
          status: 200,
        }),
      ),
  },
  {
    id: 'limit-orders/execute',
    says: '`execute` answers `signature`, `status` `Success` and `code` 0, and the same for the same request again.',
    check: async (world) => {
      const { json } = await createOrder(world);
      const answer = await execute(world, json.requestId, json.transaction);
      const again = await execute(world, json.requestId, json.transaction);
      return firstOf(
        difference(answer, { status: 200, body: { status: 'Success', code: 0, order: json.order } }),
        unless(typeof answer.json?.signature === 'string', answer.json),
        difference(again, { status: 200, body: answer.json }),
      );
    },
  },
  {
    id: 'limit-orders/list',
    says: 'An open order is listed with its amounts in whole tokens and in base units, as texts, and ISO times without fractions.',
    check: async (world) => {
      const order = await placeOrder(world);
      const { answer, found } = await findListed(world, order, { inputMint: USDC, outputMint: SOL });
      if (found === null) return difference(answer, { status: 400 });
      return firstOf(
        unless(found.userPubkey === world.wallet.address && found.status === 'Open', found),
        unless(found.makingAmount === '20' && found.rawMakingAmount === ORDER.makingAmount, found),
        unless(found.takingAmount === '5' && found.rawTakingAmount === ORDER.takingAmount, found),
        unless(
          found.remainingMakingAmount === '20' && found.rawRemainingTakingAmount === '5000000000',
          found,
        ),
        unless(found.slippageBps === '0' && found.expiredAt === null && found.closeTx === '', found),
        unless(ISO.test(found.createdAt) && ISO.test(found.updatedAt) && found.openTx !== '', found),
        unless(found.programVersion === PROGRAM && `${found.trades}` === '', found),
      );
    },
  },
  {
    id: 'limit-orders/page',
    says: 'A page has ten orders, and the answer repeats `user`, `orderStatus` and `page`. `includeFailedTx` is a text.',
    check: async (world) => {
      const answer = await listOrders(world, { page: '1', includeFailedTx: 'true' });
      const { orders = [], totalPages = 0 } = answer.json ?? {};
      const body = { user: world.wallet.address, orderStatus: 'active', page: 1 };
      return firstOf(
        difference(answer, { status: 200, body }),
        unless(orders.length <= 10 && totalPages >= 1, answer.json),
      );
    },
  },
  {
    id: 'limit-orders/cancel',
    says: 'A cancelled order is `Cancelled` in the history, with the transaction that closed it.',
    check: async (world) => {
      const order = await placeOrder(world);
      const { json } = await post(world, 'cancelOrder', { maker: world.wallet.address, order });
      const executed = await execute(world, json.requestId, json.transaction);
      const { found } = await findListed(world, order, { orderStatus: 'history' });
      return unless(found?.status === 'Cancelled' && found.closeTx === executed.json?.signature, found);
    },
  },
  {
    id: 'limit-orders/cancel-several',
    says: 'Several orders are cancelled by a list, or by one text with commas: five in a transaction, with one request id.',
    check: async (world) => {
      const orders: string[] = [];
      for (let count = 0; count < 6; count++) orders.push(await placeOrder(world));
      const maker = world.wallet.address;
      const text = await post(world, 'cancelOrder', { maker, order: orders.slice(0, 2).join(',') });
      const list = await post(world, 'cancelOrders', { maker, orders, computeUnitPrice: 'auto' });
      const { requestId, transactions = [] } = list.json ?? {};
      const statuses: unknown[] = [];
      for (const transaction of transactions) {
        statuses.push((await execute(world, requestId, transaction)).json?.status);
      }
      return firstOf(
        difference(text, { status: 200 }),
        unless(typeof text.json?.transaction === 'string', text.json),
        unless(`${statuses}` === 'Success,Success', list.json),
      );
    },
  },
  {
    id: 'limit-orders/fill',
    says: 'A keeper fills an order at exactly its price. The trade has the fee of 0.1 % apart, and the order is `Completed`.',
    check: async (world) => {
      const price = (await world.ask(`/price/v3?ids=${SOL}`)).json?.[SOL]?.usdPrice ?? 0;
      const taking = BigInt(Math.floor((20 / price) * 0.97 * 1e9));
      const order = await placeOrder(world, { takingAmount: `${taking}` });
      const { answer, found } = await findListed(world, order, { orderStatus: 'history' });
      if (found === null) return difference(answer, { status: 400 });
      const [trade] = found.trades;
      const fee = (taking * 10n + 9_999n) / 10_000n;
      return firstOf(
        unless(found.status === 'Completed' && found.rawRemainingMakingAmount === '0', found),
        unless(trade?.rawInputAmount === ORDER.makingAmount && trade.rawFeeAmount === `${fee}`, found),
        unless(trade.rawOutputAmount === `${taking - fee}` && trade.feeMint === SOL, found),
        unless(trade.action === 'Fill' && ISO.test(trade.confirmedAt) && trade.productMeta === null, found),
      );
    },
  },
];
