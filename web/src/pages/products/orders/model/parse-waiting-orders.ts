import type { ExactJson } from '../../../../base/exact-json.ts';
import { getCoordinate, getFixed, getItems, getText, getWhole } from '../../../../base/read-json.ts';
import { getIsoTime, getMillisecondTime } from '../../../../base/read-times.ts';
import { type OrderEvent, type OrderTerm, type OrderView, TRIGGER_DECIMALS } from './order-view.ts';

/** Events of an order that are shown at most. The raw answer has all of them. */
const MAX_EVENTS = 200;

/** Reads the answer of `GET /trigger/v2/orders/history`. What names no order is left out. */
export function parsePriceOrders(answer: ExactJson): readonly OrderView[] {
  return getItems(answer, 'orders').flatMap((order) => parsePriceOrder(order) ?? []);
}

function parsePriceOrder(order: ExactJson): OrderView | null {
  const head = readWaitingHead(order);
  if (head === null) return null;
  const sells = getWhole(order, 'initialInputAmount');
  const state = getText(order, 'orderState') ?? 'unknown';
  const isOpen = OPEN_STATES.has(state);
  return {
    ...head,
    source: 'waiting',
    kind: KINDS.get(getText(order, 'orderType') ?? '') ?? 'order that waits for a price',
    sells,
    sold: getWhole(order, 'inputUsed') ?? 0n,
    received: getWhole(order, 'outputAmount'),
    state: toStateText(state),
    tone: toTone(state),
    isOpen,
    terms: readPriceTerms(order, isOpen),
    createdAt: getMillisecondTime(order, 'createdAt'),
    expiresAt: getMillisecondTime(order, 'expiresAt'),
    events: getItems(order, 'events')
      .slice(-MAX_EVENTS)
      .map((event) => parseEvent(event, getMillisecondTime(event, 'timestamp'), 'amount'))
      .reverse(),
    cancel: CANCELLABLE_STATES.has(state)
      ? { operationId: 'CancelTriggerPriceOrder', search: { id: head.id } }
      : null,
  };
}

/** An order with two exits shows both prices; which of them still count, its legs say. */
function readPriceTerms(order: ExactJson, isOpen: boolean): readonly OrderTerm[] {
  const mint = getText(order, 'triggerMint');
  if (mint === null) return [];
  const type = getText(order, 'orderType');
  const trailing = getWhole(order, 'trailingBps');
  const legs = new Map(
    getItems(order, 'legs').map((leg) => [getText(leg, 'orderContext'), getText(leg, 'orderState')]),
  );
  const terms: OrderTerm[] = [];
  const add = (label: string | null, name: string, condition: 'above' | 'below', isLive: boolean) => {
    const price = getFixed(order, name, TRIGGER_DECIMALS);
    if (price !== null) terms.push({ kind: 'trigger', label, mint, condition, price, isLive });
  };
  const isBought = type === 'otoco' && legs.size > 0;
  if (type !== 'oco' && !isBought) {
    const condition = getText(order, 'triggerCondition') === 'below' ? 'below' : 'above';
    add(type === 'otoco' ? 'buys' : null, 'triggerPriceUsd', condition, isOpen);
  }
  if (trailing !== null) terms.push({ kind: 'trailing', bps: trailing });
  const isExitLive = (context: string) => isOpen && (legs.get(context) ?? 'pending') === 'open';
  add('takes the profit', 'tpPriceUsd', 'above', isExitLive('take_profit'));
  add('stops the loss', 'slPriceUsd', 'below', isExitLive('stop_loss'));
  return terms;
}

/** Reads the answer of `GET /trigger/v2/orders/history/dca`. */
export function parseRoundOrders(answer: ExactJson): readonly OrderView[] {
  return getItems(answer, 'orders').flatMap((order) => parseRoundOrder(order) ?? []);
}

function parseRoundOrder(order: ExactJson): OrderView | null {
  const head = readWaitingHead(order);
  if (head === null) return null;
  const state = getText(order, 'displayState') ?? 'unknown';
  const isOpen = OPEN_STATES.has(state);
  return {
    ...head,
    source: 'rounds',
    kind: 'order in rounds',
    sells: getWhole(order, 'inputAmountInitial'),
    sold: getWhole(order, 'inputAmountUsed'),
    received: getWhole(order, 'outputAmountTotal'),
    state: toStateText(state),
    tone: toTone(state),
    isOpen,
    terms: readRoundTerms(order, isOpen),
    createdAt: getIsoTime(order, 'createdAt'),
    expiresAt: null,
    events: getItems(order, 'events')
      .slice(0, MAX_EVENTS)
      .map((event) => parseEvent(event, getIsoTime(event, 'timestamp'), 'inputAmount')),
    cancel: CANCELLABLE_STATES.has(state)
      ? { operationId: 'CancelTriggerDcaOrder', search: { id: head.id } }
      : null,
  };
}

function readRoundTerms(order: ExactJson, isOpen: boolean): readonly OrderTerm[] {
  const perRound = getWhole(order, 'amountPerRound');
  const seconds = getWhole(order, 'intervalSeconds');
  const mint = getText(order, 'triggerMint');
  const least = getFixed(order, 'minPriceUsd', TRIGGER_DECIMALS);
  const most = getFixed(order, 'maxPriceUsd', TRIGGER_DECIMALS);
  const next = getIsoTime(order, 'nextFillAt');
  const terms: OrderTerm[] = [];
  if (perRound !== null && seconds !== null)
    terms.push({ kind: 'rounds', perRound, seconds, count: getWhole(order, 'numberOfRounds') });
  if (mint !== null && (least !== null || most !== null)) terms.push({ kind: 'range', mint, least, most });
  if (isOpen && next !== null) terms.push({ kind: 'next', at: next });
  return terms;
}

function readWaitingHead(order: ExactJson) {
  const id = getText(order, 'id');
  const inputMint = getText(order, 'inputMint');
  const outputMint = getText(order, 'outputMint');
  return id === null || inputMint === null || outputMint === null ? null : { id, inputMint, outputMint };
}

function parseEvent(event: ExactJson, at: number | null, amount: string): OrderEvent {
  const type = getText(event, 'type') ?? '';
  const state = getText(event, 'state');
  const round = getCoordinate(event, 'roundNumber');
  const what = EVENTS.get(type) ?? (type || 'something happened');
  return {
    what: `${round === null ? '' : `round ${round} `}${what}${state === 'pending' ? ', on its way' : ''}`,
    isFailed: state === 'failed',
    at,
    signature: getText(event, 'txSignature'),
    sold: type === 'fill' ? getWhole(event, amount) : null,
    received: getWhole(event, 'outputAmount'),
    outputMint: getText(event, 'outputMint'),
  };
}

function toStateText(state: string): string {
  return state.replaceAll('_', ' ');
}

function toTone(state: string): OrderView['tone'] {
  if (state === 'filled' || state === 'completed') return 'good';
  if (state === 'failed') return 'danger';
  if (state === 'expired' || state === 'pending_withdraw') return 'warning';
  return OPEN_STATES.has(state) ? 'accent' : 'plain';
}

const OPEN_STATES: ReadonlySet<string> = new Set(['pending', 'open', 'active', 'executing']);
const CANCELLABLE_STATES: ReadonlySet<string> = new Set(['open', 'active', 'expired', 'pending_withdraw']);
const KINDS: ReadonlyMap<string, string> = new Map([
  ['single', 'order that waits for a price'],
  ['oco', 'one of two prices'],
  ['otoco', 'buys, then sells at one of two prices'],
]);
const EVENTS: ReadonlyMap<string, string> = new Map([
  ['deposit', 'was deposited'],
  ['fill', 'was filled'],
  ['withdrawal', 'was withdrawn'],
  ['cancelled', 'was cancelled'],
  ['expired', 'has expired'],
]);
