import { findByToken } from '../../../platform/accounts/member-tokens.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { type SessionHolder, toActorName } from '../../../platform/sessions/session-holder.ts';
import { isFromProxy, isLoopbackAddress, type RequestOrigin } from '../../http/local-request.ts';
import { createInProcessLimiter, type RateLimiter } from '../../limits/rate-limiter.ts';
import { toClientNetwork } from '../../pipeline/request/client-network.ts';

/** Wrong credentials from one network in 60 seconds. */
const MAX_WRONG = 20;
/** Sessions that one person may begin in 60 seconds, because each is an entry of the audit log. */
const MAX_BEGUN = 60;

/** What became of a credential that was entered. */
export type EnteredCredential =
  | { readonly kind: 'accepted'; readonly holder: SessionHolder }
  /** It is neither the operator's credential nor the token of a member. */
  | { readonly kind: 'unknown' }
  /** It is unknown and came after too many others, or it is right and began too many sessions. */
  | { readonly kind: 'too-many' };

export interface SignInOptions {
  readonly platform: PlatformDependencies;
  /** The operator's credential. */
  readonly credential: string;
  /** Compares with the operator's credential in a time that does not depend on how much of it matches. */
  readonly isOperatorToken: (token: string) => boolean;
}

/** Checks the credentials that are entered on the sign-in page. */
export class SignInCheck {
  readonly platform: PlatformDependencies;
  /** The hash of the operator's credential, with which the operator's sessions are bound to it. */
  readonly operatorHash: string;
  readonly #isOperatorToken: (token: string) => boolean;
  readonly #limiter: RateLimiter = createInProcessLimiter();

  constructor({ platform, credential, isOperatorToken }: SignInOptions) {
    this.platform = platform;
    this.operatorHash = platform.hashKey(credential);
    this.#isOperatorToken = isOperatorToken;
  }

  /**
   * Finds whose credential it is. A right one is accepted however many wrong ones its network has tried, so nobody can keep others
   * behind the same address from signing in. That helps no guesser: `authorization: Bearer` tells right from wrong, too, and a
   * credential is too long to be guessed.
   * Wrong ones of this machine are not limited. A proxy on this machine passes on requests of others, which are limited together.
   *
   * @param name - How the operator wants to be named. Members have a name already.
   * @param from - The address of the browser.
   * @param origin - The request, whose headers say whether a proxy has passed it on.
   */
  async check(
    credential: string,
    name: string | null,
    from: string,
    origin: RequestOrigin,
  ): Promise<EnteredCredential> {
    const now = this.platform.now();
    const network = { kind: 'client', id: toClientNetwork(from) } as const;
    const isLimited = !isLoopbackAddress(from) || isFromProxy(origin);
    const holder = await this.#findHolder(credential, name);
    if (holder === null) {
      if (!isLimited) return { kind: 'unknown' };
      const { admitted: isCounted } = await this.#limiter.hit(network, 'main', MAX_WRONG, now);
      return { kind: isCounted ? 'unknown' : 'too-many' };
    }
    const person = { kind: 'client', id: toActorName(holder) } as const;
    const { admitted } = await this.#limiter.hit(person, 'execute', MAX_BEGUN, now);
    return admitted ? { kind: 'accepted', holder } : { kind: 'too-many' };
  }

  async #findHolder(credential: string, name: string | null): Promise<SessionHolder | null> {
    if (this.#isOperatorToken(credential)) {
      return { kind: 'operator', name, credentialHash: this.operatorHash };
    }
    const found = await findByToken(this.platform, credential);
    return found === null ? null : { kind: 'member', ...found };
  }
}
