import { and, eq } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import type { RecordMarketChange } from '../../store/audited-change.ts';
import { makers, webhooks } from './maker-tables.ts';
import type { TextSealer } from '../../common/ports/text-sealer.ts';
import { parseMakerRow } from './maker-registry.ts';
import type { MakerPair } from './maker-terms.ts';
import { openWebhookKey } from './webhook-keys.ts';

/** A webhook as it is stored. Its state is a `WebhookState`. */
export interface StoredWebhook<State> {
  readonly makerId: string;
  readonly address: Address;
  readonly url: string;
  readonly apiKey: string | null;
  readonly pairs: readonly MakerPair[] | null;
  readonly enabled: boolean;
  /** The fields that have been written; empty for a new webhook. */
  readonly state: Partial<State>;
  readonly version: number;
}

/** A change of a webhook's status, for the audit log. */
export interface WebhookChange {
  readonly from: string;
  readonly to: string;
  readonly cause: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/**
 * Loads all webhooks with their keys.
 * @param onUnreadable - Called with the reason for each webhook that is left out because its key cannot be decrypted.
 */
export async function loadWebhooks<State>(
  { db }: Store,
  sealer: TextSealer,
  onUnreadable: (error: unknown) => void,
): Promise<readonly StoredWebhook<State>[]> {
  const rows = await db.select().from(webhooks).innerJoin(makers, eq(makers.id, webhooks.makerId));
  return rows.flatMap(({ webhooks: { makerId, url, sealedKey, state, version }, makers: maker }) => {
    const { address, pairs, enabled } = parseMakerRow(maker);
    let apiKey: string | null;
    try {
      apiKey = sealedKey === null ? null : openWebhookKey(sealer, makerId, sealedKey);
    } catch (error) {
      onUnreadable(error);
      return [];
    }
    return {
      makerId,
      address,
      pairs,
      url,
      apiKey,
      enabled,
      state: JSON.parse(state) as Partial<State>,
      version,
    };
  });
}

/**
 * Writes the state of a webhook, and a change of its status to the audit log, in one transaction.
 * Returns false if the state has been written since `version`.
 */
export function saveWebhook(
  store: Store,
  makerId: string,
  version: number,
  state: object,
  change: WebhookChange | null,
  recordChange: RecordMarketChange,
): Promise<boolean> {
  return store.transaction(async (db) => {
    const written = await db
      .update(webhooks)
      .set({ state: JSON.stringify(state), version: version + 1 })
      .where(and(eq(webhooks.makerId, makerId), eq(webhooks.version, version)))
      .returning({ makerId: webhooks.makerId });
    if (written.length === 0) return false;
    if (change === null) return true;
    const { from, to, cause, at } = change;
    await recordChange(db, {
      at,
      action: 'maker.webhook_status',
      subject: makerId,
      before: { status: from },
      after: { status: to, cause },
    });
    return true;
  });
}
