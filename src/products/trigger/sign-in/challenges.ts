import { randomBytes } from 'node:crypto';
import { and, asc, desc, eq, gt, inArray, lte } from 'drizzle-orm';
import { type Party, toPartyKey } from '../../../common/party.ts';
import type { Address } from '../../../solana/address.ts';
import type { Store } from '../../../store/index.ts';
import type { ChallengeKind } from './challenge-content.ts';
import { signInChallenges } from './sign-in-tables.ts';

/** A challenge that was handed out and not used. */
export interface OpenChallenge {
  readonly id: string;
  /** The text to sign; for a transaction, its message in base64. */
  readonly content: string;
}

/** How long a challenge can be used. */
export const CHALLENGE_MS = 5 * 60_000;
/** The places of a wallet for challenges of a kind. Checking a signature against all of them takes some milliseconds. */
export const MAX_OPEN = 50;
/** The challenges of a wallet that are handed out without regard to when the one before was made. */
const FREELY_HANDED_OUT = 20;
/** The pace at which further ones are made: the other places are enough for the lifetime of a challenge. */
const PACE_MS = CHALLENGE_MS / (MAX_OPEN - FREELY_HANDED_OUT);
/** The open challenges of one caller. The oldest ones above are removed. */
export const MAX_OPEN_OF_CALLER = 5_000;
const REMOVED_AT_ONCE = 100;
/** How often another place is tried if another request took the one that was free. */
const MAX_ATTEMPTS = 5;
const NONCE_BYTES = 16;

/**
 * The challenges that were handed out, in the database, so that each instance can check the signature of each.
 *
 * A wallet's open challenges are bounded, and yet nobody who asks for challenges of a foreign wallet can keep its owner from
 * signing in. No open challenge is removed for the sake of another one of the same wallet. When a wallet has many, the
 * newest is handed out again until it is ten seconds old. That gives nothing away: a challenge is no secret, and only the
 * wallet can sign it.
 */
export class SignInChallenges {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Returns the content of a challenge that can be used for almost five minutes at least.
   * @param write - Writes the content of a new challenge.
   */
  async handOut(
    wallet: Address,
    kind: ChallengeKind,
    caller: Party,
    write: (nonce: string, expiresAt: number) => string,
  ): Promise<string> {
    const db = this.#store.unsynced;
    const now = await this.#store.now(db);
    await db.delete(signInChallenges).where(lte(signInChallenges.expiresAt, now));
    const owner = toPartyKey(caller);
    for (let attempt = 1; ; attempt++) {
      const open = await this.#listRows(wallet, kind, now);
      const [newest] = open;
      const isCrowded = open.length >= FREELY_HANDED_OUT && newest !== undefined;
      const isSharing = isCrowded && (now - newest.createdAt < PACE_MS || open.length >= MAX_OPEN);
      if (isSharing) return newest.content;
      const place = pickFreePlace(open.map((row) => row.place));
      const expiresAt = now + CHALLENGE_MS;
      const content = write(randomBytes(NONCE_BYTES).toString('hex'), expiresAt);
      const made = await db
        .insert(signInChallenges)
        .values({
          id: randomBytes(NONCE_BYTES).toString('hex'),
          wallet,
          kind,
          place,
          content,
          caller: owner,
          createdAt: now,
          expiresAt,
        })
        .onConflictDoNothing()
        .returning({ id: signInChallenges.id });
      if (made.length === 0 && attempt < MAX_ATTEMPTS) continue;
      if (made.length === 0 && newest !== undefined) return newest.content;
      await this.#removeOldestOf(owner);
      return content;
    }
  }

  /** Returns the open challenges of a wallet, the newest first. */
  async list(wallet: Address, kind: ChallengeKind): Promise<readonly OpenChallenge[]> {
    return this.#listRows(wallet, kind, await this.#store.now(this.#store.db));
  }

  /** Ends a challenge. Returns false if another request has used it, or it has expired. */
  async use(id: string): Promise<boolean> {
    const now = await this.#store.now(this.#store.db);
    const used = await this.#store.db
      .delete(signInChallenges)
      .where(and(eq(signInChallenges.id, id), gt(signInChallenges.expiresAt, now)))
      .returning({ id: signInChallenges.id });
    return used.length > 0;
  }

  #listRows(wallet: Address, kind: ChallengeKind, now: number) {
    return this.#store.db
      .select({
        id: signInChallenges.id,
        place: signInChallenges.place,
        content: signInChallenges.content,
        createdAt: signInChallenges.createdAt,
      })
      .from(signInChallenges)
      .where(
        and(
          eq(signInChallenges.wallet, wallet),
          eq(signInChallenges.kind, kind),
          gt(signInChallenges.expiresAt, now),
        ),
      )
      .orderBy(desc(signInChallenges.createdAt), asc(signInChallenges.id))
      .limit(MAX_OPEN);
  }

  /** Keeps a caller that asks for challenges of ever other wallets from filling the database. */
  async #removeOldestOf(caller: string): Promise<void> {
    const db = this.#store.unsynced;
    const tooMany = db
      .select({ id: signInChallenges.id })
      .from(signInChallenges)
      .where(eq(signInChallenges.caller, caller))
      .orderBy(desc(signInChallenges.createdAt), asc(signInChallenges.id))
      .limit(REMOVED_AT_ONCE)
      .offset(MAX_OPEN_OF_CALLER);
    await db.delete(signInChallenges).where(inArray(signInChallenges.id, tooMany));
  }
}

/** Picks one of the free places at random, so that two instances seldom pick the same. */
function pickFreePlace(taken: readonly number[]): number {
  const free = Array.from({ length: MAX_OPEN }, (_, place) => place).filter(
    (place) => !taken.includes(place),
  );
  const [random = 0] = randomBytes(1);
  return free[random % free.length] ?? 0;
}
