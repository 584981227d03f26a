import type { Store } from '../store/index.ts';
import { tryAgainWhenTransient } from '../store/postgres/try-again.ts';
import type { TextSealer } from '../common/ports/text-sealer.ts';
import { createKeyHasher, createApiKey } from './credentials/api-key.ts';
import { keepDemoKey } from './accounts/demo.ts';
import { KeyCache } from './callers/key-cache.ts';
import { createTextSealer } from './credentials/text-sealer.ts';
import { checkKeySecret } from './credentials/key-secret.ts';
import { removeOldEntries } from './audit/retention.ts';
import { removeEndedSessions } from './sessions/sessions.ts';
import type { PlatformDependencies } from './dependencies.ts';

export interface PlatformOptions {
  readonly store: Store;
  /**
   * The secret that API keys are hashed with, and that the keys of webhooks are encrypted with. It is the same for every
   * instance on one database.
   */
  readonly keySecret: string;
  readonly keyPrefix: string;
  /** Names of the registered products: keys can be confined to some of them. */
  readonly products: readonly string[];
  /** Null: no demo key is created. */
  readonly demoKey: string | null;
  /** Longest lifetime of a member's token, in milliseconds; null: tokens do not expire. */
  readonly memberTokenMs: number | null;
  readonly now: () => number;
  /**
   * Called when the stored keys were found to be hashed with this secret, and before anything else is read. It is called
   * again when the database did not answer. By default nothing is called.
   */
  readonly whenSecretFits?: (sealer: TextSealer) => Promise<void>;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /**
   * Called when the database does not answer while the platform opens, with the reason, before it is asked again. By default
   * nothing is called.
   */
  readonly onRetry?: (reason: string) => void;
  /** Called when the database does not answer the background work; the keys known so far stay in force. */
  readonly onDefect: (error: unknown) => void;
  /** Called when the database has answered the background work. By default nothing is called. */
  readonly onAnswer?: () => void;
}

export interface OpenedPlatform extends PlatformDependencies {
  /** Stops refreshing and writes the times of last use. */
  readonly close: () => Promise<void>;
}

/** How often changes of other processes are loaded; the documentation promises 15 s. */
const REFRESH_MS = 5_000;
/** How often old entries of the audit log, and sessions that have ended, are removed. */
const REMOVE_MS = 60 * 60 * 1_000;

/**
 * Loads the keys, and refreshes them until `close` is called.
 * @throws OperatorError when the keys in the store were hashed with another secret
 * @example
 * ```ts
 * import type { Store } from '../store/index.ts';
 * import { repeatEvery } from '../common/ports/timers.ts';
 * import { openPlatform } from './index.ts';
 *
 * async function isKnown(store: Store, key: string): Promise<boolean> {
 *   const platform = await openPlatform({
 *     store,
 *     keySecret: 's'.repeat(64),
 *     keyPrefix: 'jup_',
 *     products: ['swap'],
 *     demoKey: null,
 *     memberTokenMs: null,
 *     now: Date.now,
 *     every: repeatEvery,
 *     onDefect: console.error,
 *   });
 *   const found = platform.keys.find(key, Date.now());
 *   await platform.close();
 *   return found !== null;
 * }
 * ```
 */
export async function openPlatform(options: PlatformOptions): Promise<OpenedPlatform> {
  const { store, keyPrefix, products, memberTokenMs, now, onRetry = () => undefined } = options;
  const hashKey = createKeyHasher(options.keySecret);
  const sealer = createTextSealer(options.keySecret);
  const keys = new KeyCache(store, hashKey, now);
  const dependencies: PlatformDependencies = {
    store,
    keys,
    hashKey,
    sealer,
    keyPrefix,
    newKey: () => createApiKey(keyPrefix),
    products,
    memberTokenMs,
    now,
  };
  const load = async () => {
    await checkKeySecret(store, hashKey);
    await options.whenSecretFits?.(sealer);
    await keys.refresh();
    if (options.demoKey !== null) await keepDemoKey(dependencies, options.demoKey);
  };
  await tryAgainWhenTransient(load, { onRetry });
  const stop = options.every(REFRESH_MS, () => {
    Promise.all([keys.refresh(), keys.writeUses()]).then(options.onAnswer, options.onDefect);
  });
  const stopRemoving = removeOldEntriesEvery(options, REMOVE_MS);
  return {
    ...dependencies,
    close: async () => {
      stop();
      await stopRemoving();
      await keys.writeUses();
    },
  };
}

/**
 * Removes old entries and ended sessions now, and then again and again.
 * Returns a function that stops, and resolves when the step that runs has ended.
 */
function removeOldEntriesEvery(
  { store, every, onDefect }: PlatformOptions,
  milliseconds: number,
): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const remove = () => {
    running = running
      .then(() => removeEndedSessions(store))
      .then(() => removeOldEntries(store, () => isStopped))
      .catch(onDefect);
  };
  // An instance that never runs for that long would never remove any.
  remove();
  const stop = every(milliseconds, remove);
  return async () => {
    stop();
    isStopped = true;
    await running;
  };
}
