import { createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Address, parseAddress } from '../../../solana/address.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'sluice';
const AUDIENCE = 'trigger';
/** How far the clock of another instance may be ahead. */
const MAX_AHEAD_SECONDS = 60;
/** More than any token of ours has. */
const MAX_LENGTH = 1_024;

/** A token of a wallet that has signed in. */
export interface SignInToken {
  readonly token: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Issues and checks the tokens of wallets that have signed in: JWTs that every instance with the same secret accepts. */
export class WalletTokens {
  readonly #key: KeyObject;
  readonly #now: () => number;

  /**
   * @param key - 32 bytes that all instances share, and nobody else knows.
   * @param now - Returns Unix milliseconds.
   */
  constructor(key: Uint8Array, now: () => number) {
    this.#key = createSecretKey(key);
    this.#now = now;
  }

  /** @param lifetimeMs - How long the token is accepted; whole seconds count. */
  async issue(wallet: Address, lifetimeMs: number): Promise<SignInToken> {
    const issuedAt = Math.floor(this.#now() / 1_000);
    const expiresAt = issuedAt + Math.floor(lifetimeMs / 1_000);
    const token = await new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(wallet)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(this.#key);
    return { token, expiresAt: expiresAt * 1_000 };
  }

  /** Returns the wallet of a token; null if the token is not one of ours, or its time has not begun or is over. */
  async check(token: string): Promise<Address | null> {
    if (token.length > MAX_LENGTH) return null;
    const now = this.#now();
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        typ: 'JWT',
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'iat', 'exp'],
        currentDate: new Date(now),
      });
      const { sub = '', iat = Number.POSITIVE_INFINITY } = payload;
      return iat > now / 1_000 + MAX_AHEAD_SECONDS ? null : parseAddress(sub);
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
