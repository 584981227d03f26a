import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { apiKeys } from '../tables/account-tables.ts';
import { meta } from '../../store/schema/meta.ts';
import { STORES } from '../../testing/store/test-store.ts';
import { KeyCache } from './key-cache.ts';
import { createKey, deleteKey } from '../accounts/keys.ts';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import { REVISION } from '../audit/revision.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';

describe.each(STORES)('KeyCache over %s', (kind) => {
  it('sees changes made after the database went back to an earlier state', async () => {
    const platform = await openTestPlatform(NOW, kind);
    const { db } = platform.store;
    const { key: revoked } = unwrap(await createKey(platform, ACTOR, { ...PATH, key: 'revoked' }, {}));
    const another = new KeyCache(platform.store, platform.hashKey, platform.now);
    const [before] = await db.select().from(meta).where(eq(meta.name, REVISION));
    const { key: lost } = unwrap(await createKey(platform, ACTOR, { ...PATH, key: 'lost' }, {}));
    await another.refresh();
    // The server fails over to a replica without the last change, and another change is made there.
    await db.delete(apiKeys).where(eq(apiKeys.name, 'lost'));
    await db
      .update(meta)
      .set({ value: before?.value ?? '' })
      .where(eq(meta.name, REVISION));
    unwrap(await deleteKey(platform, ACTOR, { ...PATH, key: 'revoked' }));

    await another.refresh();
    expect(another.find(revoked, NOW)).toBeNull();
    expect(another.find(lost, NOW)).toBeNull();
    await platform.cleanUp();
  });

  it('refuses a used key after its deletion, and finds a key that was looked up before its creation', async () => {
    const platform = await openTestPlatform(NOW, kind);
    const { key } = unwrap(await createKey(platform, ACTOR, { ...PATH, key: 'used' }, {}));
    const cache = new KeyCache(platform.store, platform.hashKey, platform.now);
    expect(cache.find(key, NOW)).toBeNull();
    await cache.refresh();
    expect([cache.find(key, NOW)?.name, cache.find(key, NOW)?.name]).toEqual(['used', 'used']);
    unwrap(await deleteKey(platform, ACTOR, { ...PATH, key: 'used' }));
    await cache.refresh();
    expect(cache.find(key, NOW)).toBeNull();
    await platform.cleanUp();
  });
});

const NOW = 1_790_000_000_000;
const ACTOR = { who: 'operator', from: '127.0.0.1' };
const PATH = { organisation: 'demo', team: 'demo' };
