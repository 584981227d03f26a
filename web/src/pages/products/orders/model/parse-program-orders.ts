import type { ExactJson } from '../../../../base/exact-json.ts';
import { getItems, getText, getWhole } from '../../../../base/read-json.ts';
import { getIsoTime } from '../../../../base/read-times.ts';
import type { OrderEvent, OrderTerm, OrderView } from './order-view.ts';

/** Trades of an order that are shown at most. The raw answer has all of them. */
const MAX_TRADES = 200;

/** Reads the answer of `GET /trigger/v1/getTriggerOrders`. What names no order is left out. */
export function parseLimitOrders(answer: ExactJson): readonly OrderView[] {
  return getItems(answer, 'orders').flatMap((order) => parseLimitOrder(order) ?? []);
}

function parseLimitOrder(order: ExactJson): OrderView | null {
  const head = readOrderHead(order);
  if (head === null) return null;
  const sells = getWhole(order, 'rawMakingAmount');
  const taking = getWhole(order, 'rawTakingAmount');
  const remaining = getWhole(order, 'rawRemainingMakingAmount');
  const status = getText(order, 'status') ?? 'unknown';
  const isOpen = status === 'Open';
  const trades = parseProgramTrades(order);
  const sold = sells === null || remaining === null ? null : sells - remaining;
  const isPartial = isOpen && sold !== null && sold > 0n;
  const terms: OrderTerm[] =
    sells === null || taking === null ? [] : [{ kind: 'limit', making: sells, taking }];
  return {
    ...head,
    source: 'limit',
    kind: 'limit order',
    sells,
    sold,
    received: sumReceived(trades),
    state: isPartial ? 'open, filled in part' : status.toLowerCase(),
    tone: isOpen ? 'accent' : status === 'Completed' ? 'good' : 'plain',
    isOpen,
    terms,
    expiresAt: getIsoTime(order, 'expiredAt'),
    events: [
      ...readEnd(order, isOpen ? null : `was ${status.toLowerCase()}`),
      ...trades,
      ...readStart(order),
    ],
    cancel: isOpen
      ? toCancel('CancelLimitOrder', { maker: getText(order, 'userPubkey'), order: head.id })
      : null,
  };
}

/** Reads the answer of `GET /recurring/v1/getRecurringOrders`, which lists orders by time. */
export function parseRecurringOrders(answer: ExactJson): readonly OrderView[] {
  const isOpen = getText(answer, 'orderStatus') === 'active';
  return getItems(answer, 'time').flatMap((order) => parseRecurringOrder(order, isOpen) ?? []);
}

function parseRecurringOrder(order: ExactJson, isOpen: boolean): OrderView | null {
  const head = readOrderHead(order);
  if (head === null) return null;
  const sells = getWhole(order, 'rawInDeposited');
  const sold = getWhole(order, 'rawInUsed');
  const isDone = sells !== null && sold !== null && sold >= sells;
  const isCancelled = getText(order, 'closeTx') !== null && !isDone;
  return {
    ...head,
    source: 'recurring',
    kind: 'recurring order',
    sells,
    sold,
    received: getWhole(order, 'rawOutReceived'),
    state: isOpen ? 'open' : isDone ? 'completed' : isCancelled ? 'cancelled' : 'ended',
    tone: isOpen ? 'accent' : isDone ? 'good' : 'plain',
    isOpen,
    terms: readRecurringTerms(order, sells),
    expiresAt: null,
    events: [...readEnd(order, 'was closed'), ...parseProgramTrades(order), ...readStart(order)],
    cancel: isOpen
      ? toCancel('CancelRecurringOrder', {
          order: head.id,
          user: getText(order, 'userPubkey'),
          recurringType: 'time',
        })
      : null,
  };
}

function readRecurringTerms(order: ExactJson, sells: bigint | null): readonly OrderTerm[] {
  const perRound = getWhole(order, 'rawInAmountPerCycle');
  const seconds = getWhole(order, 'cycleFrequency');
  const least = toBound(getWhole(order, 'rawMinOutAmount'));
  const most = toBound(getWhole(order, 'rawMaxOutAmount'));
  if (perRound === null || perRound <= 0n || seconds === null) return [];
  const count = sells === null ? null : sells / perRound;
  return [
    { kind: 'rounds', perRound, seconds, count },
    ...(least === null && most === null ? [] : [{ kind: 'bounds', perRound, least, most } as const]),
  ];
}

/** Zero stands for no bound. */
function toBound(amount: bigint | null): bigint | null {
  return amount === null || amount <= 0n ? null : amount;
}

/** What both kinds of orders in programs have in common; null if it is no order. */
function readOrderHead(order: ExactJson) {
  const id = getText(order, 'orderKey');
  const inputMint = getText(order, 'inputMint');
  const outputMint = getText(order, 'outputMint');
  if (id === null || inputMint === null || outputMint === null) return null;
  return { id, inputMint, outputMint, createdAt: getIsoTime(order, 'createdAt') };
}

function parseProgramTrades(order: ExactJson): readonly OrderEvent[] {
  return getItems(order, 'trades')
    .slice(0, MAX_TRADES)
    .map((trade) => ({
      what: 'was filled',
      isFailed: false,
      at: getIsoTime(trade, 'confirmedAt'),
      signature: getText(trade, 'txId'),
      sold: getWhole(trade, 'rawInputAmount'),
      received: getWhole(trade, 'rawOutputAmount'),
      outputMint: null,
    }));
}

function readStart(order: ExactJson): readonly OrderEvent[] {
  return toLifeEvent('was placed', getText(order, 'openTx'), getIsoTime(order, 'createdAt'));
}

function readEnd(order: ExactJson, what: string | null): readonly OrderEvent[] {
  if (what === null) return [];
  return toLifeEvent(what, getText(order, 'closeTx'), getIsoTime(order, 'updatedAt'));
}

/** The beginning or the end of an order, if its transaction is known. */
function toLifeEvent(what: string, signature: string | null, at: number | null): readonly OrderEvent[] {
  if (signature === null) return [];
  return [{ what, isFailed: false, at, signature, sold: null, received: null, outputMint: null }];
}

function sumReceived(events: readonly OrderEvent[]): bigint | null {
  if (events.length === 0) return null;
  return events.reduce((sum, { received }) => sum + (received ?? 0n), 0n);
}

function toCancel(operationId: string, body: Readonly<Record<string, string | null>>) {
  return { operationId, search: { body: JSON.stringify(body) } };
}
