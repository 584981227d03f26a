import { and, eq, isNotNull } from 'drizzle-orm';
import type { Store } from '../../store/index.ts';
import { webhooks } from './maker-tables.ts';
import type { TextSealer } from '../../common/ports/text-sealer.ts';

const toSealPurpose = (makerId: string) => `the key of the webhook of ${makerId}`;

/** Encrypts the key that a maker's webhook wants, for the row of this maker alone. */
export function sealWebhookKey(sealer: TextSealer, makerId: string, apiKey: string): string {
  return sealer.seal(apiKey, toSealPurpose(makerId));
}

/** @throws Error that names the maker when its key cannot be decrypted */
export function openWebhookKey(sealer: TextSealer, makerId: string, sealed: string): string {
  try {
    return sealer.open(sealed, toSealPurpose(makerId));
  } catch (cause) {
    throw new Error(`the key of the webhook of ${makerId} cannot be decrypted`, { cause });
  }
}

/** Encrypts the keys that an earlier version has stored as they are. Instances on one database may do so at once. */
export async function sealStoredWebhookKeys(store: Store, sealer: TextSealer): Promise<void> {
  await store.transaction(async (db) => {
    const { makerId, apiKey } = webhooks;
    for (const row of await db.select({ makerId, apiKey }).from(webhooks).where(isNotNull(apiKey))) {
      if (row.apiKey === null) continue;
      await db
        .update(webhooks)
        .set({ apiKey: null, sealedKey: sealWebhookKey(sealer, row.makerId, row.apiKey) })
        .where(and(eq(makerId, row.makerId), eq(apiKey, row.apiKey)));
    }
  });
}
