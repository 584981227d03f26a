import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../common/unavailable.ts';
import type { Store } from '../../store/index.ts';
import { apiKeys } from '../tables/account-tables.ts';
import { meta } from '../../store/schema/meta.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { openPlatform } from '../index.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('the demo key on %s', (kind) => {
  const opened = openForEach(() => openTestStore(kind), 'cleanUp');

  it('is stored once when a start loses the database just after it has stored it', async () => {
    const { store } = opened;
    const reasons: string[] = [];
    // The first fact is about the secret of the keys, and the second one is about the demo key.
    const platform = await openPlatform({
      store: forgetting(store, 2),
      keySecret: 's'.repeat(64),
      keyPrefix: 'jup_',
      products: [],
      demoKey: key,
      memberTokenMs: null,
      now: () => NOW,
      every: () => () => undefined,
      onRetry: (reason) => void reasons.push(reason),
      onDefect: (error) => {
        throw error;
      },
    });
    expect(reasons).toEqual(['ended']);
    expect(platform.keys.find(key, NOW)).not.toBeNull();
    expect(await store.db.select({ name: apiKeys.name }).from(apiKeys)).toEqual([{ name: 'demo' }]);
    await platform.close();
  });

  const key = `jup_${randomBytes(16).toString('hex')}`;
});

const NOW = 1_790_000_000_000;
const LOST = new Unavailable('the session ended', {
  cause: Object.assign(new Error('ended'), { code: '57P01' }),
});

/** A store that cannot note the `failing`-th of the facts in `meta`. */
function forgetting(store: Store, failing: number): Store {
  let noted = 0;
  const insert: Store['db']['insert'] = (table) => {
    if ((table as unknown) === meta && ++noted === failing) throw LOST;
    return store.db.insert(table);
  };
  const db = new Proxy(store.db, {
    get: (target, name) => (name === 'insert' ? insert : Reflect.get(target, name)),
  });
  return { ...store, db };
}
