import type { TextSealer } from '../../common/ports/text-sealer.ts';
import type { Store } from '../../store/index.ts';
import { NEW_WEBHOOK, type WebhookState } from '../webhooks/conduct.ts';
import { decodeOrder, encodeOrder } from '../../swaps/orders/stored-order.ts';
import { readResult, writeResult } from '../../swaps/orders/stored-result.ts';
import type { WebhookFillRecord, WebhookFillRecords, WebhookFillState } from '../webhooks/fill-records.ts';
import type { WebhookStore } from '../webhooks/webhooks.ts';
import type { RecordMarketChange } from './audited-change.ts';
import {
  beginWebhookFill,
  endWebhookFill,
  loadWebhooks,
  noteWebhookFill,
  saveWebhook,
  listUnfinishedWebhookFills,
  findWebhookFill,
  type WebhookFillRow,
} from './webhook-rows.ts';

/**
 * Keeps the state of webhooks in the database.
 *
 * @param onUnreadable - Called with the reason for each webhook that is left out because its key cannot be decrypted.
 * @param recordChange - Called within the transaction of a change of status.
 */
export function keepWebhooks(
  store: Store,
  sealer: TextSealer,
  onUnreadable: (error: unknown) => void,
  recordChange: RecordMarketChange,
): WebhookStore {
  return {
    load: async () =>
      (await loadWebhooks<WebhookState>(store, sealer, onUnreadable)).map(
        ({ state, version, ...record }) => ({
          record,
          state: { ...NEW_WEBHOOK, ...state },
          version,
        }),
      ),
    save: (makerId, version, state, transition) =>
      saveWebhook(store, makerId, version, state, transition, recordChange),
  };
}

/**
 * Keeps the swaps that are sent to webhooks in the database.
 *
 * @param now - Returns Unix milliseconds.
 */
export function keepWebhookFills(store: Store, now: () => number): WebhookFillRecords {
  return {
    begin: ({ order, ...record }) =>
      beginWebhookFill(store, {
        ...record,
        order: encodeOrder(order),
        state: 'offered' satisfies WebhookFillState,
      }),
    note: (requestId, state, excuse) => noteWebhookFill(store, requestId, state, excuse),
    end: (requestId, answer) =>
      endWebhookFill(store, requestId, {
        state: 'ended' satisfies WebhookFillState,
        answer: writeResult(answer),
        endedAt: now(),
      }),
    byRequest: async (requestId) => {
      const row = await findWebhookFill(store, requestId);
      return row === null ? null : toWebhookFillRecord(row);
    },
    unfinished: async () => (await listUnfinishedWebhookFills(store)).map(toWebhookFillRecord),
  };
}

/** The table holds only states that `keepWebhookFills` wrote. */
function toWebhookFillRecord(row: WebhookFillRow): WebhookFillRecord {
  const { order, answer, state } = row;
  return {
    ...row,
    order: decodeOrder(order),
    answer: answer === null ? null : readResult(answer),
    state: state as WebhookFillState,
  };
}
