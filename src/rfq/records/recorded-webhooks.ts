import type { TextSealer } from '../../common/ports/text-sealer.ts';
import type { Store } from '../../store/index.ts';
import { NEW_WEBHOOK, type WebhookState } from '../webhooks/conduct.ts';
import type { WebhookStore } from '../webhooks/webhooks.ts';
import type { RecordMarketChange } from '../../store/audited-change.ts';
import { loadWebhooks, saveWebhook } from './webhook-rows.ts';

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
