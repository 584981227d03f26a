import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { apiKeys, meta } from '../../store/schema.ts';
import { STORES } from '../../store/store-for-tests.ts';
import { KeyCache } from './key-cache.ts';
import { createKey, deleteKey } from '../accounts/keys.ts';
import { openTestPlatform } from '../platform-for-tests.ts';
import { REVISION } from '../audit/revision.ts';
import { granted } from '../granted-for-tests.ts';

const NOW = 1_790_000_000_000;
const ACTOR = { who: 'operator', from: '127.0.0.1' };
const PATH = { organisation: 'demo', team: 'demo' };

describe.each(STORES)('the key cache over %s', (kind) => {
  it('sees what is changed after the database went back to an earlier state', async () => {
    const { parts, cleanUp } = await openTestPlatform(NOW, kind);
    const { db } = parts.store;
    const { key: revoked } = granted(await createKey(parts, ACTOR, { ...PATH, key: 'revoked' }, {}));
    const another = new KeyCache(parts.store, parts.hashKey, parts.now);
    const [before] = await db.select().from(meta).where(eq(meta.name, REVISION));
    const { key: lost } = granted(await createKey(parts, ACTOR, { ...PATH, key: 'lost' }, {}));
    await another.refresh();
    // The server fails over to a replica that never got the last change, and somebody makes another one on it.
    await db.delete(apiKeys).where(eq(apiKeys.name, 'lost'));
    await db
      .update(meta)
      .set({ value: before?.value ?? '' })
      .where(eq(meta.name, REVISION));
    granted(await deleteKey(parts, ACTOR, { ...PATH, key: 'revoked' }));

    await another.refresh();
    expect(another.find(revoked, NOW)).toBeNull();
    expect(another.find(lost, NOW)).toBeNull();
    await cleanUp();
  });
});
