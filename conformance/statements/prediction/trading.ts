import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { decodeTransaction } from '../transactions.ts';
import {
  askPrediction,
  buildPurchase,
  createTrader,
  execute,
  findEvent,
  waitForOrder,
} from './prediction-requests.ts';

const DIGITS = /^\d+$/;

export const predictionTradingStatements: readonly Statement[] = [
  {
    id: 'prediction/build',
    says: 'A purchase answers a transaction of version 0 that lacks the signature of its owner alone, with `requiredSigners`, `txMeta` and what `execute` takes.',
    check: async (world) => {
      const event = await findEvent(world);
      const trader = await createTrader(world);
      const answer = await buildPurchase(world, trader.address, event.markets[0].marketId, {
        skipSigning: true,
      });
      const { json } = answer;
      const { version, transaction, units, microLamports } = decodeTransaction(json.transaction);
      const signatures = Object.entries(transaction.signatures);
      return firstOf(
        difference(answer, { status: 200, body: { requiredSigners: [trader.address] } }),
        unless(version === 0 && units === 750_000n && microLamports === 50_000n, { units, microLamports }),
        unless(
          signatures.every(([signer, signature]) => (signature === null) === (signer === trader.address)),
          signatures,
        ),
        unless(
          json.execution.endpoint === '/api/v1/execute' && json.execution.context.type === 'create_order',
          json,
        ),
        unless(json.txMeta.blockhash === json.blockhash && json.executionModel !== undefined, json),
      );
    },
  },
  {
    id: 'prediction/figures',
    says: '`orderCostUsd` is the least that is left of the deposit, and the contracts are what 95 % of it buy at the highest price, down to a tenth; all amounts are texts of micro dollars.',
    check: async (world) => {
      const event = await findEvent(world);
      const trader = await createTrader(world);
      const { order } = (await buildPurchase(world, trader.address, event.markets[0].marketId)).json;
      const [cost, price] = [BigInt(order.orderCostUsd), BigInt(order.maxBuyPriceUsd)];
      const contracts = (cost * 95n * 1_000_000n) / (100n * price);
      return firstOf(
        unless(order.contractsMicro === String(contracts - (contracts % 100_000n)), order),
        // Other statements trade far in the pools of JupUSD, so that a USDC may bring anything.
        unless(cost > 0n, order),
        unless(order.minSellPriceUsd === null && order.slippageBps === 0, order),
        unless(
          ['newSizeUsd', 'newPayoutUsd', 'payoutUsd', 'estimatedVenueFeeUsd', 'estimatedTotalFeeUsd'].every(
            (name) => DIGITS.test(order[name]),
          ),
          order,
        ),
      );
    },
  },
  {
    id: 'prediction/minimum',
    says: 'An order of less than 5 USDC is refused with `create_order_failed` and `Minimum order is $5`.',
    check: async (world) => {
      const event = await findEvent(world);
      const answer = await buildPurchase(world, world.wallet.address, event.markets[0].marketId, {
        depositAmount: 4_999_999,
      });
      return difference(answer, {
        status: 400,
        body: { code: 'create_order_failed', message: 'Minimum order is $5' },
      });
    },
  },
  {
    id: 'prediction/poor-wallet',
    says: 'A wallet without the deposit is refused with `INSUFFICIENT_FUNDS`.',
    check: async (world) => {
      const event = await findEvent(world);
      const { address } = await world.newWallet();
      const answer = await buildPurchase(world, address, event.markets[0].marketId);
      return difference(answer, { status: 400, body: { code: 'INSUFFICIENT_FUNDS' } });
    },
  },
  {
    id: 'prediction/life',
    says: 'A landed order is filled and closed by the keeper; its position can be sold with `DELETE` and a JSON body; the history has every step.',
    check: async (world) => {
      const event = await findEvent(world);
      const trader = await createTrader(world);
      const { marketId } = event.markets[0];
      const { json: bought } = await buildPurchase(world, trader.address, marketId);
      const before = await askPrediction(world, `/orders/status/${bought.order.orderPubkey}`);
      const executed = await execute(world, bought.transaction, trader);
      const status = await waitForOrder(world, bought.order.orderPubkey);
      const position = await askPrediction(world, `/positions/${bought.order.positionPubkey}`);
      const listed = await askPrediction(world, `/positions?ownerPubkey=${trader.address}`);
      const body = { ownerPubkey: trader.address };
      const sale = await askPrediction(world, `/positions/${bought.order.positionPubkey}`, 'DELETE', body);
      const sold = await execute(world, sale.json.transaction, trader);
      const saleStatus = await waitForOrder(world, sale.json.order.orderPubkey);
      const history = await askPrediction(world, `/history?ownerPubkey=${trader.address}&start=0&end=20`);
      // biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
      const types = (history.json?.data ?? []).map(({ eventType }: any) => eventType);
      return firstOf(
        difference(before, { status: 404, body: { code: 'order_history_not_found' } }),
        difference(executed, { status: 200, body: { status: 'Success' } }),
        difference(status, { status: 200, body: { status: 'filled', latestEventType: 'order_closed' } }),
        difference(position, { status: 200, body: { isYes: true, claimed: false, marketId } }),
        unless(position.json?.contractsMicro === bought.order.contractsMicro, position.json),
        unless(listed.json?.data?.length === 1, listed.json),
        unless(typeof position.json?.marketMetadata?.openTime === 'number', position.json),
        unless(position.json?.marketMetadata?.result === null, position.json),
        unless(
          sale.json?.order?.newContractsMicro === '0' && sale.json.order.maxSlippageBps === 2_500,
          sale.json,
        ),
        difference(sold, { status: 200, body: { status: 'Success' } }),
        difference(saleStatus, { status: 200, body: { latestEventType: 'order_closed' } }),
        unless(
          ['order_created', 'order_filled', 'order_closed'].every((type) => types.includes(type)),
          types,
        ),
      );
    },
  },
  {
    id: 'prediction/early-claim',
    says: 'A claim before the result is refused with `claim_position_failed` and `Market not settled yet`.',
    check: async (world) => {
      const event = await findEvent(world);
      const trader = await createTrader(world);
      const { json } = await buildPurchase(world, trader.address, event.markets[0].marketId);
      await execute(world, json.transaction, trader);
      await waitForOrder(world, json.order.orderPubkey);
      const answer = await askPrediction(world, `/positions/${json.order.positionPubkey}/claim`, 'POST', {
        ownerPubkey: trader.address,
      });
      return difference(answer, {
        status: 400,
        body: { code: 'claim_position_failed', message: 'Market not settled yet' },
      });
    },
  },
  {
    id: 'prediction/unknown-position',
    says: 'An unknown position is a 404 `position_not_found` about `positionPubkey`, with the message `Position not found`.',
    check: async (world) => {
      const answer = await askPrediction(world, `/positions/${world.wallet.address}`);
      return difference(answer, {
        status: 404,
        body: { code: 'position_not_found', param: 'positionPubkey', message: 'Position not found' },
      });
    },
  },
  {
    id: 'prediction/execute-paths',
    says: '`execute` is served at `/execute`, `/orders/execute` and `/api/v1/execute`, below the product and of the host, and refuses what is no order with `execute_failed`.',
    check: async (world) => {
      const paths = [
        '/prediction/v1/execute',
        '/prediction/v1/orders/execute',
        '/prediction/v1/api/v1/execute',
        '/api/v1/execute',
      ];
      const answers = await Promise.all(
        paths.map((path) => world.ask(path, { method: 'POST', body: { signedTransaction: 'AAAA' } })),
      );
      return firstOf(
        ...answers.map((answer) => difference(answer, { status: 400, body: { code: 'execute_failed' } })),
      );
    },
  },
];
