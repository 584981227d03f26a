import { and, asc, desc, eq, lt, or } from 'drizzle-orm';
import { type Address, address } from '../../solana/address.ts';
import type { Database, Store } from '../../store/index.ts';
import { tokenRequests } from './token-tables.ts';
import type { TokenDetails } from '../facts/token.ts';

/**
 * `paying`: the payment may land. `pending`: it has landed, and the operator has not decided. `failed`: it has not landed,
 * and cannot any more.
 */
export type RequestState = 'paying' | 'pending' | 'approved' | 'rejected' | 'failed';

/** What the sender of a request wrote. All texts are validated, and are for display only. */
export interface VerificationSubmission {
  readonly twitterHandle: string;
  readonly senderTwitterHandle: string;
  readonly description: string;
  /** Null if the request is not about metadata. */
  readonly details: TokenDetails | null;
  /** What the operator may look up: further texts that no answer shows. */
  readonly notes: Readonly<Record<string, string>>;
}

/** A request for the verification of a token, its metadata, or both. It is known by the signature of its payment. */
export interface VerificationRequest {
  readonly signature: string;
  readonly mint: Address;
  readonly sender: Address;
  readonly currency: string;
  /** Atoms of the token that was paid. */
  readonly amount: bigint;
  readonly state: RequestState;
  readonly submission: VerificationSubmission;
  readonly wantsVerification: boolean;
  readonly lastValidBlockHeight: bigint;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** How a payment stands when its request is written. */
export interface PaymentBegun {
  /** Whether the network has it already. It needs no turn of its sender's. */
  readonly isPaid: boolean;
  /** A payment that was valid up to an earlier block can no longer land. */
  readonly finalizedHeight: bigint;
}

/**
 * `taken`: another request for the mint is open by now. `not its turn`: the payment has made a request already, or another
 * payment of the sender is being sent.
 */
export type Beginning = 'begun' | 'taken' | 'not its turn';

/** Whether requests about a mint are open already. */
export interface OpenRequests {
  readonly verification: boolean;
  readonly metadata: boolean;
}

/** How many requests are listed at once. */
export const MAX_LISTED = 500;

/**
 * Requests in the database. One payment makes one request, and a sender has one payment at a time that is being sent,
 * whatever several instances do at once: unique indexes say so. A payment reserves its mint only once it was seen to
 * succeed, so that nobody keeps a mint from others without paying. Of several that are sent at the same time, each makes
 * a request that the operator decides about.
 */
export class VerificationRequests {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - Genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  async find(signature: string): Promise<VerificationRequest | null> {
    const [row] = await this.#store.db
      .select()
      .from(tokenRequests)
      .where(and(eq(tokenRequests.signature, signature), eq(tokenRequests.network, this.#network)));
    return row === undefined ? null : toVerificationRequest(row);
  }

  openFor(mint: Address): Promise<OpenRequests> {
    return this.#openIn(this.#store.db, mint);
  }

  async #openIn(db: Database, mint: Address): Promise<OpenRequests> {
    const key = this.#keyOf(mint);
    const rows = await db
      .select({ verification: tokenRequests.verificationOf, metadata: tokenRequests.metadataOf })
      .from(tokenRequests)
      .where(or(eq(tokenRequests.verificationOf, key), eq(tokenRequests.metadataOf, key)));
    return {
      verification: rows.some(({ verification }) => verification === key),
      metadata: rows.some(({ metadata }) => metadata === key),
    };
  }

  /**
   * Records a request before its payment is sent.
   *
   * The mint is looked at again once the sender has its turn, so that no sender pays twice for the same.
   */
  begin(
    request: Omit<VerificationRequest, 'state' | 'createdAt'>,
    { isPaid, finalizedHeight }: PaymentBegun,
  ): Promise<Beginning> {
    const { signature, mint, sender, submission, wantsVerification } = request;
    const turn = isPaid ? null : this.#keyOf(sender);
    return this.#store.transaction(async (db) => {
      if (turn !== null) await this.#endTurn(db, turn, finalizedHeight);
      if (!(await this.#insert(db, request, turn))) return 'not its turn';
      const open = await this.#openIn(db, mint);
      const isTaken = wantsVerification && open.verification;
      if (!isTaken && !(submission.details !== null && open.metadata)) return 'begun';
      await db.delete(tokenRequests).where(eq(tokenRequests.signature, signature));
      return 'taken';
    });
  }

  /** Returns false if the payment has made a request, or another one of the sender has its turn. */
  async #insert(
    db: Database,
    request: Omit<VerificationRequest, 'state' | 'createdAt'>,
    turn: string | null,
  ): Promise<boolean> {
    const { signature, mint, sender, currency, amount, submission, wantsVerification } = request;
    const made = await db
      .insert(tokenRequests)
      .values({
        signature,
        network: this.#network,
        mint,
        sender,
        currency,
        amount: String(amount),
        state: 'paying',
        submission: JSON.stringify({ ...submission, wantsVerification }),
        verificationOf: null,
        metadataOf: null,
        payingOf: turn,
        lastValidHeight: Number(request.lastValidBlockHeight),
        createdAt: await this.#store.now(db),
        decidedAt: null,
      })
      .onConflictDoNothing()
      .returning({ signature: tokenRequests.signature });
    return made.length === 1;
  }

  /** Lets a sender go on whose earlier payment has expired, even if the network cannot say what became of it. */
  async #endTurn(db: Database, turn: string, finalizedHeight: bigint): Promise<void> {
    await db
      .update(tokenRequests)
      .set({ payingOf: null })
      .where(
        and(eq(tokenRequests.payingOf, turn), lt(tokenRequests.lastValidHeight, Number(finalizedHeight))),
      );
  }

  /** Notes that the payment was seen to succeed, in a block that is not confirmed. Others need not pay from now on. */
  async reserve(signature: string): Promise<void> {
    await this.#noteLanded(signature, {});
  }

  /** Notes that the payment landed, or that it did not and cannot any more. Only the first note counts. */
  async settle(signature: string, landed: boolean): Promise<void> {
    if (landed) return this.#noteLanded(signature, { state: 'pending', payingOf: null });
    await this.#store.db
      .update(tokenRequests)
      .set({ state: 'failed', verificationOf: null, metadataOf: null, payingOf: null })
      .where(this.#isPaying(signature));
  }

  async #noteLanded(
    signature: string,
    changes: { readonly state?: 'pending'; readonly payingOf?: null },
  ): Promise<void> {
    const request = await this.find(signature);
    if (request === null) return;
    const key = this.#keyOf(request.mint);
    await this.#store.db
      .update(tokenRequests)
      .set({
        ...changes,
        verificationOf: request.wantsVerification ? key : null,
        metadataOf: request.submission.details === null ? null : key,
      })
      .where(this.#isPaying(signature));
  }

  #isPaying(signature: string) {
    return and(eq(tokenRequests.signature, signature), eq(tokenRequests.state, 'paying'));
  }

  /**
   * Closes a request that the operator has decided about.
   *
   * @param db - The transaction in which the decision is written.
   * @returns the request; null if it is not pending
   */
  async decide(db: Database, signature: string, approved: boolean): Promise<VerificationRequest | null> {
    const [row] = await db
      .update(tokenRequests)
      .set({
        state: approved ? 'approved' : 'rejected',
        verificationOf: null,
        metadataOf: null,
        decidedAt: await this.#store.now(db),
      })
      .where(
        and(
          eq(tokenRequests.signature, signature),
          eq(tokenRequests.network, this.#network),
          eq(tokenRequests.state, 'pending'),
        ),
      )
      .returning();
    return row === undefined ? null : toVerificationRequest(row);
  }

  /** Returns the newest requests in a state, at most 500. */
  async list(state: RequestState): Promise<readonly VerificationRequest[]> {
    const rows = await this.#store.db
      .select()
      .from(tokenRequests)
      .where(and(eq(tokenRequests.network, this.#network), eq(tokenRequests.state, state)))
      .orderBy(desc(tokenRequests.createdAt))
      .limit(MAX_LISTED);
    return rows.map(toVerificationRequest);
  }

  /** Returns requests whose payment was begun so many milliseconds ago and is not settled, the oldest first. */
  async unsettled(milliseconds: number): Promise<readonly VerificationRequest[]> {
    const before = (await this.#store.now(this.#store.db)) - milliseconds;
    const rows = await this.#store.db
      .select()
      .from(tokenRequests)
      .where(
        and(
          eq(tokenRequests.network, this.#network),
          eq(tokenRequests.state, 'paying'),
          lt(tokenRequests.createdAt, before),
        ),
      )
      .orderBy(asc(tokenRequests.createdAt))
      .limit(MAX_LISTED);
    return rows.map(toVerificationRequest);
  }

  #keyOf(mintOrSender: Address): string {
    return `${this.#network}/${mintOrSender}`;
  }
}

/** What the column `submission` holds. */
type StoredSubmission = VerificationSubmission & Pick<VerificationRequest, 'wantsVerification'>;

function toVerificationRequest(row: typeof tokenRequests.$inferSelect): VerificationRequest {
  const { wantsVerification, ...submission } = JSON.parse(row.submission) as StoredSubmission;
  return {
    signature: row.signature,
    mint: address(row.mint),
    sender: address(row.sender),
    currency: row.currency,
    amount: BigInt(row.amount),
    state: row.state as RequestState,
    submission,
    wantsVerification,
    lastValidBlockHeight: BigInt(row.lastValidHeight),
    createdAt: row.createdAt,
  };
}
