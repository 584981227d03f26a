import type { KeyDependencies } from './accounts/keys.ts';
import type { TokenDependencies } from './accounts/member-tokens.ts';
import type { KeyCache } from './callers/key-cache.ts';
import type { TextSealer } from '../common/ports/text-sealer.ts';

/** Everything that the operations of this room use. Each operation declares the part that it needs. */
export interface PlatformDependencies extends KeyDependencies, TokenDependencies {
  readonly keys: KeyCache;
  /** Encrypts texts that lower rooms store and have to read again. */
  readonly sealer: TextSealer;
  /** Creates a key with the prefix of every key. */
  readonly newKey: () => string;
}
