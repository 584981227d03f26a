import { openTestStore, type STORES } from '../store/test-store.ts';
import { openPlatform } from '../../platform/index.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';

export interface TestPlatform extends PlatformDependencies {
  readonly cleanUp: () => Promise<void>;
}

/** Names of products that keys can be confined to. */
export const TEST_PRODUCTS = ['swap', 'tokens', 'price'];

/** Opens a platform with the demo organisation on an empty store. The clock stays at `now`. */
export async function openTestPlatform(
  now = 1_790_000_000_000,
  kind: (typeof STORES)[number] = 'sqlite',
): Promise<TestPlatform> {
  const { store, cleanUp } = await openTestStore(kind);
  const platform = await openPlatform({
    store,
    keySecret: 's'.repeat(64),
    keyPrefix: 'jup_',
    products: TEST_PRODUCTS,
    memberTokenMs: 90 * 86_400_000,
    demoKey: 'jup_of_the_data_folder',
    now: () => now,
    every: () => () => {},
    onDefect: (error) => {
      throw error;
    },
  });
  return {
    ...platform,
    cleanUp: async () => {
      await platform.close();
      await cleanUp();
    },
  };
}
