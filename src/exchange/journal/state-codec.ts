import type { Address } from '../../solana/address.ts';
import type { EndReason } from '../exchange-order.ts';
import { type BookOrder, createBookOrder, createRefusedOrder } from '../books/book-order.ts';
import type { ExchangeState } from '../books/exchange-state.ts';
import type { LiveTrade } from '../books/order-flow.ts';
import { toContracts } from '../books/lots.ts';
import type { MarketBook } from '../books/market-book.ts';
import {
  decodeCommand,
  decodeOrder,
  encodeCommand,
  encodeOrder,
  type JournalFields,
} from './command-codec.ts';

/** The fields of an order before those of `encodeOrder`. */
const ORDER_STATE_FIELDS = 11;

/** The first entry of a snapshot. */
const SNAPSHOT_BEGIN: JournalFields = ['S'];

/** Whether a snapshot begins with these entries, so that those before it no longer count. */
export function isSnapshotBegin([first]: readonly JournalFields[]): boolean {
  return first?.[0] === SNAPSHOT_BEGIN[0];
}

/** Encodes everything that an exchange knows as entries of the journal, from which an empty one becomes the same. */
export function encodeState(state: ExchangeState): JournalFields[] {
  const orders = [...state.orders.values()].sort((one, other) => one.rank - other.rank);
  return [
    SNAPSHOT_BEGIN,
    ...[...state.markets.values()].map(encodeMarket),
    ...orders.map(encodeBookOrder),
    ...[...state.trades.values()].map(encodeTrade),
    ['N', state.lastCommand, state.lastTrade],
  ];
}

/**
 * Applies an entry of the journal to the state that the entries before it have made.
 *
 * @throws Error if the journal is not one that Sluice has written
 */
export function applyEntry(state: ExchangeState, fields: JournalFields): void {
  const command = decodeCommand(fields);
  if (command !== null) {
    state.apply(command);
    return;
  }
  switch (fields[0]) {
    case 'M':
      applyMarket(state, fields);
      return;
    case 'O':
      applyOrder(state, fields);
      return;
    case 'T':
      applyTrade(state, fields);
      return;
    case 'S':
      return;
    case 'N':
      state.restoreNumbers(Number(fields[1]), Number(fields[2]));
      return;
    default:
      throw new Error(
        `the journal of the exchange has an entry of the unknown kind ${JSON.stringify(fields[0])}`,
      );
  }
}

function encodeMarket({ terms, netYes, isHalted }: MarketBook): JournalFields {
  const [, ...opened] = encodeCommand({ kind: 'open', terms: { ...terms, netYes: toContracts(netYes) } });
  return ['M', isHalted ? 1 : 0, ...opened];
}

function applyMarket(state: ExchangeState, [, isHalted, ...opened]: JournalFields): void {
  const command = decodeCommand(['o', ...opened]);
  if (command?.kind !== 'open') return;
  state.apply(command);
  if (isHalted === 1) state.apply({ kind: 'halt', marketId: command.terms.marketId });
}

function encodeBookOrder(order: BookOrder): JournalFields {
  return [
    'O',
    order.rank,
    order.remaining,
    order.budget,
    order.resting,
    order.hasGivenUp ? 1 : 0,
    order.reason,
    order.ended,
    order.isForgotten ? 1 : 0,
    order.feeBps,
    order.confirmed,
    ...encodeOrder(order.order),
  ];
}

function applyOrder(state: ExchangeState, fields: JournalFields): void {
  const order = decodeOrder(fields.slice(ORDER_STATE_FIELDS));
  const rank = Number(fields[1]);
  const reason = fields[6] as EndReason | null;
  const restored =
    createBookOrder(order, { rank, feeBps: Number(fields[9]), lots: Number(fields[2]) }) ??
    createRefusedOrder(order, rank, reason ?? 'unfilled');
  restored.budget = Number(fields[3]);
  restored.hasGivenUp = fields[5] === 1;
  restored.reason = reason;
  restored.ended = fields[7] as EndReason | null;
  restored.isForgotten = fields[8] === 1;
  restored.confirmed = Number(fields[10]);
  state.restoreOrder(restored, Number(fields[4]));
}

function encodeTrade({ trade, found }: LiveTrade): JournalFields {
  const { taker, maker, lots, price } = found;
  return ['T', trade.number, taker.order.address, maker?.order.address ?? null, lots, price];
}

function applyTrade(state: ExchangeState, fields: JournalFields): void {
  const taker = state.orders.get(String(fields[2]) as Address);
  const maker = fields[3] === null ? null : state.orders.get(String(fields[3]) as Address);
  if (taker === undefined || maker === undefined) {
    throw new Error(`the journal of the exchange has trade ${fields[1]} without its orders`);
  }
  const found = { taker, maker, lots: Number(fields[4]), price: Number(fields[5]) };
  state.restoreTrade(Number(fields[1]), found);
}
