import type { KeyDependencies } from './accounts/keys.ts';
import type { TokenDependencies } from './accounts/member-tokens.ts';
import type { KeyCache } from './callers/key-cache.ts';
import type { MakerDependencies } from './makers/makers.ts';

/** Everything that the operations of this room use. Each operation declares the part that it needs. */
export interface PlatformDependencies extends KeyDependencies, TokenDependencies, MakerDependencies {
  readonly keys: KeyCache;
}
