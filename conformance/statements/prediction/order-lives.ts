import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import { signTransaction } from '../transactions.ts';
import { JUPUSD } from '../mints.ts';
import type { Base64EncodedWireTransaction } from '@solana/kit';
import {
  askPrediction,
  buildPurchase,
  createMarket,
  createTrader,
  execute,
  findAbsent,
  purchase,
  resolveMarket,
  waitForOrder,
} from './prediction-requests.ts';

// What becomes of an order that has landed, and how lists show it.

const STATUS_FIELDS = [
  'orderPubkey',
  'status',
  'latestEventType',
  'latestSignature',
  'externalOrderId',
  'orderId',
];
const STEP_FIELDS = [
  'eventType',
  'status',
  'rawStatus',
  'timestamp',
  'signature',
  'externalOrderId',
  'orderId',
];
const FILL_FIELDS = [
  ...[
    'isBuy',
    'isYes',
    'contracts',
    'contractsMicro',
    'contractsDecimal',
    'filledContracts',
    'filledContractsMicro',
  ],
  ...['filledContractsDecimal', 'contractsSettled', 'contractsSettledMicro', 'contractsSettledDecimal'],
  ...[
    'maxFillPriceUsd',
    'avgFillPriceUsd',
    'maxBuyPriceUsd',
    'minSellPriceUsd',
    'depositAmountUsd',
    'totalCostUsd',
  ],
  ...[
    'feeUsd',
    'integratorFeeUsd',
    'grossProceedsUsd',
    'netProceedsUsd',
    'realizedPnl',
    'realizedPnlBeforeFees',
  ],
];
const HISTORY_FIELDS = [
  ...[
    'id',
    'eventType',
    'signature',
    'slot',
    'timestamp',
    'orderPubkey',
    'positionPubkey',
    'marketId',
    'ownerPubkey',
  ],
  ...['keeperPubkey', 'externalOrderId', 'orderId', 'transferAmountToken', 'payoutAmountUsd', 'eventId'],
  ...['marketMetadata', 'eventMetadata', ...FILL_FIELDS],
];
const POSITION_FIELDS = [
  ...[
    'pubkey',
    'owner',
    'ownerPubkey',
    'market',
    'marketId',
    'marketIdHash',
    'eventId',
    'isYes',
    'contracts',
  ],
  ...[
    'contractsMicro',
    'contractsDecimal',
    'totalCostUsd',
    'sizeUsd',
    'valueUsd',
    'avgPriceUsd',
    'markPriceUsd',
  ],
  ...[
    'sellPriceUsd',
    'maxSlippageBps',
    'openOrders',
    'feesPaidUsd',
    'integratorFeeUsd',
    'realizedPnlUsd',
    'pnlUsd',
  ],
  ...['pnlUsdPercent', 'pnlUsdAfterFees', 'pnlUsdAfterFeesPercent', 'claimed', 'claimedUsd', 'claimable'],
  ...['claimableAt', 'payoutUsd', 'settlementDate', 'openedAt', 'updatedAt', 'bump', 'source'],
];
const SUBJECT_FIELDS = {
  eventMetadata: ['eventId', 'title', 'isActive', 'isLive', 'beginAt', 'closeCondition', 'tags', 'closeTime'],
  marketMetadata: [
    ...[
      'marketId',
      'title',
      'status',
      'result',
      'openTime',
      'closeTime',
      'isTeamMarket',
      'team',
      'sportsLine',
    ],
    ...['marketOptions', 'rulesPrimary', 'rulesSecondary'],
  ],
};
const ORDER_FIELDS = [
  ...[
    'pubkey',
    'owner',
    'ownerPubkey',
    'market',
    'marketId',
    'marketIdHash',
    'eventId',
    'position',
    'status',
    'isYes',
  ],
  ...['isBuy', 'createdAt', 'updatedAt', 'contracts', 'maxFillPriceUsd', 'maxBuyPriceUsd', 'minSellPriceUsd'],
  ...['filledAt', 'filledContracts', 'avgFillPriceUsd', 'settled', 'orderId', 'sizeUsd', 'eventMetadata'],
  ...['marketMetadata', 'externalOrderId', 'bump'],
];

/** Returns the fields that the subject of an item lacks. */
function findAbsentSubject(item: { readonly eventMetadata?: unknown; readonly marketMetadata?: unknown }) {
  return [
    ...findAbsent(item?.eventMetadata, SUBJECT_FIELDS.eventMetadata),
    ...findAbsent(item?.marketMetadata, SUBJECT_FIELDS.marketMetadata),
  ];
}

export const predictionLifeStatements: readonly Statement[] = [
  {
    id: 'prediction/order-status',
    says: 'The status of an order has its steps from the first to the last, and the figures of a fill in `fillInfo`.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { status, built } = await purchase(world, trader, await createMarket(world));
      const { json } = status;
      const steps: readonly { readonly eventType: string; readonly fillInfo?: unknown }[] =
        json?.history ?? [];
      const fill = steps.find(({ eventType }) => eventType === 'order_filled');
      return firstOf(
        unless(findAbsent(json, STATUS_FIELDS).length === 0, json),
        unless(
          steps.map(({ eventType }) => eventType).join() === 'order_created,order_filled,order_closed',
          steps,
        ),
        unless(
          steps.every((step) => findAbsent(step, STEP_FIELDS).length === 0),
          steps,
        ),
        unless(findAbsent(fill?.fillInfo, FILL_FIELDS).length === 0, findAbsent(fill?.fillInfo, FILL_FIELDS)),
        unless(json.externalOrderId === built.externalOrderId && json.orderId !== '', json),
      );
    },
  },
  {
    id: 'prediction/order-gone',
    says: 'An order that is closed is a 400 in `orders/{orderPubkey}`, and one that nobody knows a 404 `order_not_found`.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { built } = await purchase(world, trader, await createMarket(world));
      const closed = await askPrediction(world, `/orders/${built.order.orderPubkey}`);
      const unknown = await askPrediction(world, `/orders/${trader.address}`);
      return firstOf(
        difference(closed, { status: 400, body: { type: 'invalid_request_error' } }),
        difference(unknown, { status: 404, body: { code: 'order_not_found', param: 'orderPubkey' } }),
      );
    },
  },
  {
    id: 'prediction/open-order',
    says: 'An order that waits for its price is listed with every field, has the status `pending`, and nothing cancels it.',
    check: async (world) => {
      const trader = await createTrader(world);
      const change = { depositMint: JUPUSD, maxBuyPriceUsd: '300000' };
      const { json } = await buildPurchase(world, trader.address, await createMarket(world), change);
      await execute(world, json.transaction, trader);
      const listed = await askPrediction(world, `/orders?ownerPubkey=${trader.address}`);
      const [order] = listed.json.data;
      const alone = await askPrediction(world, `/orders/${json.order.orderPubkey}`);
      const cancelled = await askPrediction(world, `/orders/${json.order.orderPubkey}`, 'DELETE', {
        ownerPubkey: trader.address,
      });
      return firstOf(
        difference(listed, {
          status: 200,
          body: { pagination: { start: 0, end: 1, total: 1, hasNext: false } },
        }),
        unless(findAbsent(order, ORDER_FIELDS).length === 0, findAbsent(order, ORDER_FIELDS)),
        unless(order.status === 'pending' && order.filledContracts === '0', order),
        difference(alone, {
          status: 200,
          body: { pubkey: json.order.orderPubkey, maxBuyPriceUsd: '300000' },
        }),
        unless([404, 405].includes(cancelled.status), cancelled.text),
      );
    },
  },
  {
    id: 'prediction/partial-fill',
    says: 'An order that its deposit does not pay for in full ends `partiallyfilled` with the latest event `order_closed`, and its fill is a multiple of 0.01.',
    check: async (world) => {
      const trader = await createTrader(world);
      const marketId = await createMarket(world, { house: { startCents: 10, contractsPerCent: 1_000 } });
      const { status, built, position } = await purchase(world, trader, marketId);
      const { json } = await askPrediction(world, `/positions/${position}`);
      const [asked, filled] = [BigInt(built.order.contractsMicro), BigInt(json.contractsMicro)];
      return firstOf(
        difference(status, {
          status: 200,
          body: { status: 'partiallyfilled', latestEventType: 'order_closed' },
        }),
        unless(filled < asked && filled > 0n && filled % 10_000n === 0n, { asked, filled }),
      );
    },
  },
  {
    id: 'prediction/failed-order',
    says: 'An order whose market is over when it lands fails, is closed, and gives its deposit back.',
    check: async (world) => {
      const trader = await createTrader(world);
      const marketId = await createMarket(world);
      const { json } = await buildPurchase(world, trader.address, marketId, { depositMint: JUPUSD });
      await resolveMarket(world, marketId, 'no');
      const executed = await execute(world, json.transaction, trader);
      const status = await waitForOrder(world, json.order.orderPubkey);
      const again = await buildPurchase(world, trader.address, await createMarket(world), {
        depositMint: JUPUSD,
        depositAmount: '100000000',
      });
      return firstOf(
        difference(executed, { status: 200, body: { status: 'Success' } }),
        difference(status, { status: 200, body: { status: 'failed' } }),
        difference(again, { status: 200 }),
      );
    },
  },
  {
    id: 'prediction/landed-by-rpc',
    says: 'An order that lands over the RPC, without `execute` and without preflight, is filled as well.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { json } = await buildPurchase(world, trader.address, await createMarket(world));
      const signed = await signTransaction(json.transaction, trader);
      const wire = signed as Base64EncodedWireTransaction;
      await world.rpc
        .sendTransaction(wire, { encoding: 'base64', skipPreflight: true, maxRetries: 3n })
        .send();
      const status = await waitForOrder(world, json.order.orderPubkey);
      return difference(status, { status: 200, body: { status: 'filled', latestEventType: 'order_closed' } });
    },
  },
  {
    id: 'prediction/execute-answer',
    says: '`execute` takes the `context` of the build unchanged and a `requestId`, which it returns, and answers the same request again with the same signature.',
    check: async (world) => {
      const trader = await createTrader(world);
      const change = { depositMint: JUPUSD };
      const { json } = await buildPurchase(world, trader.address, await createMarket(world), change);
      const body = {
        signedTransaction: await signTransaction(json.transaction, trader),
        context: json.execution.context,
        requestId: 'a-statement',
      };
      const answer = await askPrediction(world, '/execute', 'POST', body);
      const again = await askPrediction(world, '/execute', 'POST', body);
      const without = await askPrediction(world, '/execute', 'POST', { context: body.context });
      return firstOf(
        difference(answer, {
          status: 200,
          body: { status: 'Success', error: null, requestId: 'a-statement' },
        }),
        unless(answer.json.signature === again.json?.signature, again.text),
        difference(without, { status: 400, body: { code: 'invalid_type', param: 'signedTransaction' } }),
      );
    },
  },
  {
    id: 'prediction/one-position',
    says: 'A wallet has one position for each side of a market, to which later purchases add.',
    check: async (world) => {
      const trader = await createTrader(world);
      const marketId = await createMarket(world);
      const first = await purchase(world, trader, marketId);
      const second = await purchase(world, trader, marketId);
      const other = await purchase(world, trader, marketId, { isYes: false });
      const { json } = await askPrediction(world, `/positions/${first.position}`);
      const no = `/positions?ownerPubkey=${trader.address}&marketId=${marketId}&isYes=false`;
      const listed = await askPrediction(world, no);
      return firstOf(
        unless(first.position === second.position && first.position !== other.position, [first.position]),
        unless(json.contractsMicro === second.built.order.newContractsMicro, json),
        unless(listed.json.data.length === 1 && listed.json.data[0].pubkey === other.position, listed.json),
      );
    },
  },
  {
    id: 'prediction/position-fields',
    says: 'A position has every recorded field: amounts as text, `realizedPnlUsd`, percentages and `openOrders` as numbers, times in seconds.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { position } = await purchase(world, trader, await createMarket(world));
      const { json } = await askPrediction(world, `/positions/${position}`);
      const absent = [...findAbsent(json, POSITION_FIELDS), ...findAbsentSubject(json)];
      const numbers = [
        'realizedPnlUsd',
        'pnlUsdPercent',
        'pnlUsdAfterFeesPercent',
        'openOrders',
        'openedAt',
        'bump',
      ];
      const texts = [
        'contracts',
        'totalCostUsd',
        'valueUsd',
        'pnlUsd',
        'pnlUsdAfterFees',
        'feesPaidUsd',
        'payoutUsd',
      ];
      const { marketMetadata } = json;
      return firstOf(
        unless(absent.length === 0, absent),
        unless(
          numbers.every((name) => typeof json[name] === 'number'),
          json,
        ),
        unless(
          texts.every((name) => /^-?\d+$/.test(json[name])),
          json,
        ),
        unless(json.source === 'program' && json.maxSlippageBps === 2_500 && json.claimable === false, json),
        unless(
          marketMetadata.result === null &&
            Number.isInteger(marketMetadata.openTime + marketMetadata.closeTime),
          marketMetadata,
        ),
      );
    },
  },
  {
    id: 'prediction/history-fields',
    says: 'The history has every field in every event: `slot` as text, `id` and `timestamp` as numbers; pages of it say how many there are.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { position } = await purchase(world, trader, await createMarket(world));
      const { json } = await askPrediction(world, `/history?ownerPubkey=${trader.address}&start=0&end=2`);
      const [entry] = json.data;
      const absent = [...findAbsent(entry, HISTORY_FIELDS), ...findAbsentSubject(entry)];
      const byId = await askPrediction(world, `/history?id=${entry.id}`);
      const ofPosition = await askPrediction(world, `/history?positionPubkey=${position}`);
      return firstOf(
        unless(absent.length === 0, absent),
        unless(
          json.pagination.total >= 3 && json.pagination.hasNext && json.data.length === 2,
          json.pagination,
        ),
        unless(
          /^\d+$/.test(entry.slot) && Number.isInteger(entry.id) && Number.isInteger(entry.timestamp),
          entry,
        ),
        unless(json.data[0].id > json.data[1].id, json.data),
        unless(byId.json.data.length === 1 && byId.json.data[0].id === entry.id, byId.json),
        unless(ofPosition.json.pagination.total === json.pagination.total, ofPosition.json.pagination),
      );
    },
  },
  {
    id: 'prediction/filled-fee',
    says: 'A fill is charged 0.07 of contracts times price times what is missing to a dollar, in millionths of a dollar and not in cents.',
    check: async (world) => {
      const trader = await createTrader(world);
      const { status } = await purchase(world, trader, await createMarket(world));
      const steps: readonly {
        readonly eventType: string;
        readonly fillInfo?: Readonly<Record<string, string>>;
      }[] = status.json.history;
      const fill = steps.find(({ eventType }) => eventType === 'order_filled')?.fillInfo;
      const [contracts, price] = [Number(fill?.filledContractsMicro), Number(fill?.avgFillPriceUsd)];
      const fee = (0.07 * contracts * price * (1_000_000 - price)) / 1e12;
      return unless(Math.abs(Number(fill?.feeUsd) - fee) <= 10, { fill, fee });
    },
  },
];
