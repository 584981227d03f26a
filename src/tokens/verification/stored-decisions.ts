import { and, eq, gte } from 'drizzle-orm';
import { type Address, address } from '../../solana/address.ts';
import type { Database, Store } from '../../store/index.ts';
import { tokenStandings } from './token-tables.ts';
import { repeatEvery } from '../../common/ports/timers.ts';
import type { TokenDecision, TokenDecisions } from '../decision.ts';
import type { TokenDetails } from '../facts/token.ts';

export interface StoredTokenDecisionsOptions {
  readonly store: Store;
  /** Genesis hash: decisions about one network say nothing about another. */
  readonly network: string;
  /** Called when the database did not answer. The decisions known so far stay in force. */
  readonly onDefect: (error: unknown) => void;
}

/** How often decisions that were made through other instances are read. */
const REFRESH_MS = 5_000;
/** A decision may become readable after one that has a later time, so the last ones are read again. */
const OVERLAP_MS = 60_000;

/** The operator's decisions about tokens, in the database. Every instance acts on all of them within five seconds. */
export class StoredTokenDecisions implements TokenDecisions {
  readonly #options: StoredTokenDecisionsOptions;
  readonly #known = new Map<Address, TokenDecision>();
  readonly #texts = new Map<Address, string>();
  readonly #listeners = new Set<(mint: Address) => void>();
  #readUntil = 0;
  #stop: () => void = () => undefined;

  private constructor(options: StoredTokenDecisionsOptions) {
    this.#options = options;
  }

  static async open(options: StoredTokenDecisionsOptions): Promise<StoredTokenDecisions> {
    const decisions = new StoredTokenDecisions(options);
    await decisions.refresh();
    decisions.#stop = repeatEvery(REFRESH_MS, () => {
      decisions.refresh().catch(options.onDefect);
    });
    return decisions;
  }

  close(): void {
    this.#stop();
  }

  of(mint: Address): TokenDecision | null {
    return this.#known.get(mint) ?? null;
  }

  mints(): Iterable<Address> {
    return this.#known.keys();
  }

  onChange(listener: (mint: Address) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the decisions that were made since the last time. */
  async refresh(): Promise<void> {
    const rows = await this.#options.store.db
      .select()
      .from(tokenStandings)
      .where(
        and(
          eq(tokenStandings.network, this.#options.network),
          gte(tokenStandings.changedAt, this.#readUntil - OVERLAP_MS),
        ),
      );
    for (const row of rows) {
      this.#readUntil = Math.max(this.#readUntil, row.changedAt);
      const mint = address(row.mint);
      const text = JSON.stringify([row.level, row.tags, row.details]);
      if (this.#texts.get(mint) === text) continue;
      this.#texts.set(mint, text);
      const decision = parseStoredDecision(row);
      if (decision === null) this.#known.delete(mint);
      else this.#known.set(mint, decision);
      for (const listener of this.#listeners) listener(mint);
    }
  }

  /**
   * Writes a decision. It is in force here after the next `refresh`.
   *
   * @param db - The database, or a transaction.
   * @param decide - Returns the new decision, given the one in force; null takes it back.
   * @returns the decisions before and after
   */
  async write(
    db: Database,
    mint: Address,
    decide: (before: TokenDecision | null) => TokenDecision | null,
  ): Promise<{ readonly before: TokenDecision | null; readonly after: TokenDecision | null }> {
    const { network, store } = this.#options;
    const key = and(eq(tokenStandings.network, network), eq(tokenStandings.mint, mint));
    const [row] = await db.select().from(tokenStandings).where(key);
    const before = row === undefined ? null : parseStoredDecision(row);
    const after = decide(before);
    const values = {
      level: after?.level ?? NONE,
      tags: JSON.stringify(after?.tags ?? []),
      details: JSON.stringify(after?.details ?? {}),
      changedAt: await store.now(db),
    };
    await db
      .insert(tokenStandings)
      .values({ network, mint, ...values })
      .onConflictDoUpdate({ target: [tokenStandings.network, tokenStandings.mint], set: values });
    return { before, after };
  }
}

const NONE = 'none';

function parseStoredDecision({
  level,
  tags,
  details,
}: typeof tokenStandings.$inferSelect): TokenDecision | null {
  if (level === NONE) return null;
  return {
    level: level as TokenDecision['level'],
    tags: JSON.parse(tags) as readonly string[],
    details: JSON.parse(details) as TokenDetails,
  };
}
