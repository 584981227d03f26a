import {
  beginFill,
  discardFill,
  endFill,
  type FillRow,
  findFillOfRequest,
  listFillsEndedSince,
  signFill,
  listUnfinishedFills,
} from './fill-rows.ts';
import {
  beginWebhookFill,
  endWebhookFill,
  findWebhookFill,
  listUnfinishedWebhookFills,
  noteWebhookFill,
  type WebhookFillRow,
} from './webhook-fill-rows.ts';
import type {
  FillRecord,
  FillRecords,
  RecordedFill,
  WebhookFillRecord,
  WebhookFillRecords,
} from '../fills/fill-records.ts';
import type { RecordedState, RecordedWebhookState } from '../fills/fill-state.ts';
import type { Store } from '../../store/index.ts';
import {
  type CoSignedOrder,
  decodeOrder,
  encodeOrder,
  type StoredOrder,
  type WebhookOrder,
} from '../../swaps/orders/stored-order.ts';
import { readResult, writeResult } from '../../swaps/orders/stored-result.ts';

/**
 * Keeps the fills over streams in the database.
 * @param now - Unix milliseconds.
 * @param onUnreadable - Called with the error for each fill that a list leaves out because its row cannot be read. After a
 *   restart, the other fills are settled all the same.
 */
export function keepFills(
  store: Store,
  now: () => number,
  onUnreadable: (error: unknown) => void,
): FillRecords {
  return {
    begin: ({ order, ...record }) =>
      beginFill(store, { ...record, order: encodeOrder(order), state: 'offered' satisfies RecordedState }),
    discard: (swapUuid) => discardFill(store, swapUuid, 'offered' satisfies RecordedState),
    sign: (swapUuid, signed) =>
      signFill(store, swapUuid, signed, {
        from: 'offered' satisfies RecordedState,
        to: 'landing' satisfies RecordedState,
      }),
    end: (swapUuid, { state, answer, from }) =>
      endFill(store, swapUuid, { state, answer: writeResult(answer), endedAt: now() }, from),
    byRequest: async (requestId) => {
      const row = await findFillOfRequest(store, requestId);
      return row === null ? null : toFillRecord(row);
    },
    unfinished: async (makerId) =>
      readRows(await listUnfinishedFills(store, makerId), toFillRecord, onUnreadable),
    endedSince: async (since) =>
      readRows(await listFillsEndedSince(store, since), toFillRecord, onUnreadable),
  };
}

/**
 * Keeps the fills by webhook in the database.
 * @param now - Unix milliseconds.
 * @param onUnreadable - As for `keepFills`.
 */
export function keepWebhookFills(
  store: Store,
  now: () => number,
  onUnreadable: (error: unknown) => void,
): WebhookFillRecords {
  return {
    begin: ({ order, ...record }) =>
      beginWebhookFill(store, {
        ...record,
        order: encodeOrder(order),
        state: 'offered' satisfies RecordedWebhookState,
      }),
    note: (requestId, state, excuse) => noteWebhookFill(store, requestId, state, excuse),
    end: (requestId, { answer }) =>
      endWebhookFill(store, requestId, {
        state: 'ended' satisfies RecordedWebhookState,
        answer: writeResult(answer),
        endedAt: now(),
      }),
    byRequest: async (requestId) => {
      const row = await findWebhookFill(store, requestId);
      return row === null ? null : toWebhookFillRecord(row);
    },
    unfinished: async () =>
      readRows(await listUnfinishedWebhookFills(store), toWebhookFillRecord, onUnreadable),
  };
}

function readRows<Row, Fill>(
  rows: readonly Row[],
  read: (row: Row) => Fill,
  onUnreadable: (error: unknown) => void,
): readonly Fill[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      onUnreadable(error);
      return [];
    }
  });
}

/** The table holds only states and orders that `keepFills` wrote. */
function toFillRecord(row: FillRow): FillRecord {
  return { ...row, ...decodeFill<CoSignedOrder>(row), state: row.state as RecordedState };
}

/** The table holds only states and orders that `keepWebhookFills` wrote. */
function toWebhookFillRecord(row: WebhookFillRow): WebhookFillRecord {
  return { ...row, ...decodeFill<WebhookOrder>(row), state: row.state as RecordedWebhookState };
}

function decodeFill<Order extends StoredOrder>({
  order,
  answer,
}: Pick<FillRow, 'order' | 'answer'>): Pick<RecordedFill<Order>, 'order' | 'answer'> {
  return { order: decodeOrder(order) as Order, answer: answer === null ? null : readResult(answer) };
}
