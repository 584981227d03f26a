import type { Store } from '../store/index.ts';
import { keyHasher } from './credentials/api-key.ts';
import { keepDemoKey } from './accounts/demo.ts';
import { KeyCache } from './callers/key-cache.ts';
import { checkKeySecret } from './credentials/key-secret.ts';
import type { PlatformDependencies } from './dependencies.ts';

export interface PlatformOptions {
  readonly store: Store;
  /** What API keys are hashed with: the same for every instance on one database. */
  readonly keySecret: string;
  readonly keyPrefix: string;
  /** Names of the registered products: keys can be confined to some of them. */
  readonly products: readonly string[];
  /** Null: no demo key is created. */
  readonly demoKey: string | null;
  /** How long a member's token works; null: for ever. */
  readonly memberTokenMs: number | null;
  readonly now: () => number;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /** Called when refreshing or writing keys failed; the keys known so far stay in force. */
  readonly onDefect: (error: unknown) => void;
}

export interface Platform {
  readonly parts: PlatformDependencies;
  /** Stops refreshing and writes the times of last use. */
  readonly close: () => Promise<void>;
}

/** How often changes of other processes are loaded; the documentation promises 15 s. */
const REFRESH_MS = 5_000;

/** @throws OperatorError when the store belongs to another secret */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const { store, keyPrefix, products, memberTokenMs, now } = options;
  const hashKey = keyHasher(options.keySecret);
  await checkKeySecret(store, hashKey);
  const keys = new KeyCache(store, hashKey, now);
  const parts: PlatformDependencies = { store, keys, hashKey, keyPrefix, products, memberTokenMs, now };
  await keys.refresh();
  if (options.demoKey !== null) await keepDemoKey(parts, options.demoKey);
  const stop = options.every(REFRESH_MS, () => {
    Promise.all([keys.refresh(), keys.writeUses()]).catch(options.onDefect);
  });
  return {
    parts,
    close: async () => {
      stop();
      await keys.writeUses();
    },
  };
}
