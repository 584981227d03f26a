import type { ExactJson } from '../../../../base/exact-json.ts';
import {
  getCoordinate,
  getFixed,
  getItems,
  getMember,
  getText,
  isFlagSet,
} from '../../../../base/read-json.ts';
import { getSecondTime } from '../../../../base/read-times.ts';
import { CONTRACT_DECIMALS } from './parse-book.ts';
import { getMicroDollars } from './micro-dollars.ts';
import { isForecastMarket, readTitle } from './parse-events.ts';

/** The market that a position, an order or an event of the history is about. */
export interface MarketName {
  readonly eventId: string;
  readonly marketId: string;
  readonly event: string;
  readonly market: string;
  readonly isForecast: boolean;
}

/** What a wallet holds of one side of a market. Amounts are billionths of a dollar. */
export interface PositionView extends MarketName {
  readonly address: string;
  readonly isYes: boolean;
  /** In millionths of a contract. */
  readonly contracts: bigint | null;
  readonly cost: bigint | null;
  /** Null: the market is closed and has no result yet. */
  readonly value: bigint | null;
  readonly profit: bigint | null;
  readonly payout: bigint | null;
  readonly price: bigint | null;
  readonly isClaimable: boolean;
  readonly openedAt: number | null;
}

/** Reads the answer of `GET /prediction/v1/positions`. */
export function parsePositions(answer: ExactJson): readonly PositionView[] {
  return getItems(answer, 'data').flatMap((position) => {
    const address = getText(position, 'pubkey');
    if (address === null) return [];
    return [
      {
        ...readMarketName(position),
        address,
        isYes: isFlagSet(position, 'isYes'),
        contracts: getFixed(position, 'contractsDecimal', CONTRACT_DECIMALS),
        cost: getMicroDollars(position, 'totalCostUsd'),
        value: getMicroDollars(position, 'valueUsd'),
        profit: getMicroDollars(position, 'pnlUsdAfterFees'),
        payout: getMicroDollars(position, 'payoutUsd'),
        price: getMicroDollars(position, 'avgPriceUsd'),
        isClaimable: isFlagSet(position, 'claimable'),
        openedAt: getSecondTime(position, 'openedAt'),
      },
    ];
  });
}

/** An order of a wallet that is not closed yet. */
export interface PredictionOrderView extends MarketName {
  readonly address: string;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  readonly state: string;
  readonly contracts: bigint | null;
  readonly filled: bigint | null;
  /** The highest price of a purchase or the lowest of a sale, in billionths of a dollar. */
  readonly limit: bigint | null;
  readonly createdAt: number | null;
}

/** Reads the answer of `GET /prediction/v1/orders`. */
export function parsePredictionOrders(answer: ExactJson): readonly PredictionOrderView[] {
  return getItems(answer, 'data').flatMap((order) => {
    const address = getText(order, 'pubkey');
    if (address === null) return [];
    const isBuy = isFlagSet(order, 'isBuy');
    return [
      {
        ...readMarketName(order),
        address,
        isYes: isFlagSet(order, 'isYes'),
        isBuy,
        state: getText(order, 'status') ?? 'unknown',
        contracts: getFixed(order, 'contractsDecimal', CONTRACT_DECIMALS),
        filled: getFixed(order, 'filledContractsDecimal', CONTRACT_DECIMALS),
        limit: getMicroDollars(order, isBuy ? 'maxBuyPriceUsd' : 'minSellPriceUsd'),
        createdAt: getSecondTime(order, 'createdAt'),
      },
    ];
  });
}

/** Something that happened to the orders and positions of a wallet. */
export interface HistoryEventView extends MarketName {
  readonly id: number;
  readonly what: string;
  readonly isYes: boolean;
  readonly signature: string | null;
  /** The account of the order; null where it is about none. */
  readonly order: string | null;
  readonly contracts: bigint | null;
  /** What the wallet has paid or got, with the word for it; null where nothing was. */
  readonly money: {
    readonly verb: 'deposited' | 'cost' | 'brought' | 'returned';
    readonly amount: bigint;
  } | null;
  readonly profit: bigint | null;
  readonly at: number | null;
}

/** Reads the answer of `GET /prediction/v1/history`. */
export function parseHistory(answer: ExactJson): readonly HistoryEventView[] {
  return getItems(answer, 'data').flatMap((event) => {
    const id = getCoordinate(event, 'id');
    if (id === null) return [];
    const type = getText(event, 'eventType') ?? 'unknown';
    return [
      {
        ...readMarketName(event),
        id,
        what: HISTORY.get(type) ?? type.replaceAll('_', ' '),
        isYes: isFlagSet(event, 'isYes'),
        signature: getText(event, 'signature'),
        order: getText(event, 'orderPubkey'),
        contracts: getFixed(event, CONTRACTS.get(type) ?? 'contractsDecimal', CONTRACT_DECIMALS),
        money: readMoney(event, type),
        profit: getMicroDollars(event, 'realizedPnl'),
        at: getSecondTime(event, 'timestamp'),
      },
    ];
  });
}

/** Which amount of an event is about money depends on what it tells. */
function readMoney(event: ExactJson, type: string): HistoryEventView['money'] {
  const isBuy = isFlagSet(event, 'isBuy');
  const [verb, name] =
    type === 'order_created'
      ? (['deposited', 'depositAmountUsd'] as const)
      : type === 'order_filled'
        ? isBuy
          ? (['cost', 'totalCostUsd'] as const)
          : (['brought', 'netProceedsUsd'] as const)
        : type === 'payout_claimed'
          ? (['brought', 'payoutAmountUsd'] as const)
          : type === 'order_closed' && isBuy
            ? (['returned', 'transferAmountToken'] as const)
            : [null, ''];
  const amount = verb === null ? null : getMicroDollars(event, name);
  return verb === null || amount === null || amount === 0n ? null : { verb, amount };
}

function readMarketName(value: ExactJson): MarketName {
  const market = getMember(value, 'marketMetadata');
  const marketId = getText(value, 'marketId') ?? '';
  return {
    eventId: getText(value, 'eventId') ?? '',
    marketId,
    event: readTitle(getMember(value, 'eventMetadata'), 'title') ?? '',
    market: readTitle(market, 'title') ?? marketId,
    isForecast: isForecastMarket(market),
  };
}

const HISTORY: ReadonlyMap<string, string> = new Map([
  ['order_created', 'order placed'],
  ['order_filled', 'order filled'],
  ['order_failed', 'order not filled'],
  ['order_closed', 'order closed'],
  ['position_updated', 'position changed'],
  ['position_lost', 'lost'],
  ['payout_claimed', 'paid out'],
]);
/** Which of the three numbers of contracts an event is about. */
const CONTRACTS: ReadonlyMap<string, string> = new Map([
  ['order_filled', 'filledContractsDecimal'],
  ['position_lost', 'contractsSettledDecimal'],
  ['payout_claimed', 'contractsSettledDecimal'],
]);
