import type { Store } from '../store/index.ts';
import type { HashKey } from './credentials/api-key.ts';
import type { KeyCache } from './callers/key-cache.ts';

/** What the operations of the platform work with. */
export interface PlatformParts {
  readonly store: Store;
  readonly keys: KeyCache;
  readonly hashKey: HashKey;
  /** Names of the registered products: keys can be confined to some of them. */
  readonly products: readonly string[];
  /** What every key begins with. */
  readonly keyPrefix: string;
  /** How long a member's token works; null: for ever. */
  readonly memberTokenMs: number | null;
  /** Unix milliseconds. */
  readonly now: () => number;
}
