import { and, asc, desc, eq, lt, or } from 'drizzle-orm';
import { type Address, address } from '../../solana/address.ts';
import type { Database, Store } from '../../store/index.ts';
import { tokenRequests } from '../../store/schema.ts';
import type { TokenDetails } from '../token.ts';

/**
 * `paying`: the payment may land. `pending`: it has landed, and the operator has not decided. `failed`: it has not landed,
 * and cannot any more.
 */
export type RequestState = 'paying' | 'pending' | 'approved' | 'rejected' | 'failed';

/** What the sender of a request wrote. All texts are validated, and are for display only. */
export interface Submission {
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
  readonly submission: Submission;
  readonly wantsVerification: boolean;
  readonly lastValidBlockHeight: bigint;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** Whether requests about a mint are open already. */
export interface OpenRequests {
  readonly verification: boolean;
  readonly metadata: boolean;
}

/** How many requests are listed at once. */
export const MAX_LISTED = 500;

/**
 * Requests in the database. One payment makes one request, and a mint has one open request for verification and one for
 * metadata at most, whatever several instances do at once: unique indexes say so.
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
    return row === undefined ? null : requestOf(row);
  }

  async openFor(mint: Address): Promise<OpenRequests> {
    const key = this.#keyOf(mint);
    const rows = await this.#store.db
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
   * @returns false if the payment has made a request already, or another request for the mint is open
   */
  async begin(request: Omit<VerificationRequest, 'state' | 'createdAt'>): Promise<boolean> {
    const { signature, mint, sender, currency, amount, submission, wantsVerification } = request;
    const key = this.#keyOf(mint);
    const made = await this.#store.db
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
        verificationOf: wantsVerification ? key : null,
        metadataOf: submission.details === null ? null : key,
        lastValidHeight: Number(request.lastValidBlockHeight),
        createdAt: await this.#store.now(this.#store.db),
        decidedAt: null,
      })
      .onConflictDoNothing()
      .returning({ signature: tokenRequests.signature });
    return made.length === 1;
  }

  /** Notes that the payment landed, or that it did not and cannot any more. Only the first note counts. */
  async settle(signature: string, landed: boolean): Promise<void> {
    const closed = { verificationOf: null, metadataOf: null };
    await this.#store.db
      .update(tokenRequests)
      .set(landed ? { state: 'pending' } : { state: 'failed', ...closed })
      .where(and(eq(tokenRequests.signature, signature), eq(tokenRequests.state, 'paying')));
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
    return row === undefined ? null : requestOf(row);
  }

  /** @returns the newest requests in a state, at most 500 */
  async list(state: RequestState): Promise<readonly VerificationRequest[]> {
    const rows = await this.#store.db
      .select()
      .from(tokenRequests)
      .where(and(eq(tokenRequests.network, this.#network), eq(tokenRequests.state, state)))
      .orderBy(desc(tokenRequests.createdAt))
      .limit(MAX_LISTED);
    return rows.map(requestOf);
  }

  /** @returns requests whose payment was begun so many milliseconds ago and is not settled, the oldest first */
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
    return rows.map(requestOf);
  }

  #keyOf(mint: Address): string {
    return `${this.#network}/${mint}`;
  }
}

/** What the column `submission` holds. */
type StoredSubmission = Submission & Pick<VerificationRequest, 'wantsVerification'>;

function requestOf(row: typeof tokenRequests.$inferSelect): VerificationRequest {
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
