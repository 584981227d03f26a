import type { Metrics } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import {
  beginWebhookFill,
  endWebhookFill,
  forgetOldWebhookFills,
  loadWebhooks,
  noteWebhookFill,
  saveWebhook,
  unfinishedWebhookFills,
  webhookFillOf,
  type WebhookFillRow,
} from '../../rfq/records/webhook-rows.ts';
import type { RecordMarketChange } from '../../rfq/records/audited-change.ts';
import {
  type WebhookFillRecord,
  type WebhookFillRecords,
  type WebhookStore,
  Webhooks,
} from '../../rfq/index.ts';
import type { TextSealer } from '../../common/ports/text-sealer.ts';
import { NEW_WEBHOOK, WEBHOOK_CONDUCT, type WebhookState } from '../../rfq/webhooks/conduct.ts';
import type { WebhookFillState } from '../../rfq/webhooks/fill-records.ts';
import type { Store } from '../../store/index.ts';

export interface OpenWebhooksOptions {
  readonly store: Store;
  /** Milliseconds that makers have for a quote. */
  readonly quoteMs: number;
  readonly allowsPrivate: boolean;
  /** Decrypts the keys of webhooks. */
  readonly sealer: TextSealer;
  readonly recordChange: RecordMarketChange;
  /** Measures the deadlines of makers. */
  readonly deadlines: Timers;
  readonly metrics: Metrics;
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The makers that are asked by webhook, joined with the database. */
export interface OpenWebhooks {
  readonly makers: Webhooks;
  readonly records: WebhookFillRecords;
}

export async function openWebhooks(options: OpenWebhooksOptions): Promise<OpenWebhooks> {
  const { store, sealer, quoteMs, allowsPrivate, deadlines, metrics, onDefect } = options;
  await forgetOldWebhookFills(store, SYSTEM_TIMERS.now());
  const makers = new Webhooks({
    store: webhookStoreOver(
      store,
      sealer,
      (error) => onDefect('the key of a webhook', error),
      options.recordChange,
    ),
    timers: { now: SYSTEM_TIMERS.now, after: deadlines.after },
    policy: WEBHOOK_CONDUCT,
    quoteMs,
    allowsPrivate,
    metrics,
    onDefect,
  });
  await makers.refresh();
  return { makers, records: webhookRecordsIn(store, SYSTEM_TIMERS.now) };
}

/**
 * @param onUnreadable - Called with the reason for each webhook that is left out because its key cannot be decrypted.
 * @returns the store in which rfq keeps the state of webhooks
 */
export function webhookStoreOver(
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

/** @param now - Unix milliseconds. */
export function webhookRecordsIn(store: Store, now: () => number): WebhookFillRecords {
  return {
    begin: (record) => beginWebhookFill(store, { ...record, state: 'offered' satisfies WebhookFillState }),
    note: (requestId, state, excuse) => noteWebhookFill(store, requestId, state, excuse),
    end: (requestId, answer) =>
      endWebhookFill(store, requestId, {
        state: 'ended' satisfies WebhookFillState,
        answer,
        endedAt: now(),
      }),
    byRequest: async (requestId) => {
      const row = await webhookFillOf(store, requestId);
      return row === null ? null : recordOf(row);
    },
    unfinished: async () => (await unfinishedWebhookFills(store)).map(recordOf),
  };
}

/** The table holds only states that `webhookRecordsIn` wrote. */
function recordOf(row: WebhookFillRow): WebhookFillRecord {
  return { ...row, state: row.state as WebhookFillState };
}
