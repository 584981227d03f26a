import { and, eq, isNull, lt } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { studioLaunches } from './studio-tables.ts';

/** A launch that was submitted. */
export interface StudioLaunch {
  readonly mint: Address;
  readonly config: Address;
  /** The wallet that has signed the launch. */
  readonly owner: Address;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  /** The text of the page; null if there is none. */
  readonly content: string | null;
  /** The content type of the header image; null if there is none. */
  readonly headerType: string | null;
  /** Unix milliseconds. */
  readonly submittedAt: number;
  /** Unix milliseconds; null as long as it is not known to have landed. */
  readonly landedAt: number | null;
}

/** Launches of one network that were submitted. All instances of a database share them. */
export class StudioLaunches {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** Returns null if it was not submitted. */
  async find(mint: Address): Promise<StudioLaunch | null> {
    const [row] = await this.#store.db.select().from(studioLaunches).where(this.#isOf(mint));
    return row === undefined ? null : readLaunchRow(row);
  }

  /** Records a launch, unless it is recorded already. Returns what is recorded: the first submission stays. */
  async add(launch: Omit<StudioLaunch, 'landedAt'>): Promise<StudioLaunch> {
    const { lastValidBlockHeight, ...rest } = launch;
    const lastValidHeight = Number(lastValidBlockHeight);
    // SQLite knows no default in the place of a value.
    const values = { ...rest, network: this.#network, lastValidHeight, landedAt: null };
    await this.#store.db.insert(studioLaunches).values(values).onConflictDoNothing();
    return (await this.find(launch.mint)) ?? { ...launch, landedAt: null };
  }

  /** Notes that a launch has landed. */
  async noteLanded(mint: Address, at: number): Promise<void> {
    const isNew = and(this.#isOf(mint), isNull(studioLaunches.landedAt));
    await this.#store.db.update(studioLaunches).set({ landedAt: at }).where(isNew);
  }

  /** Forgets a launch that has not landed and never will. Returns false if it is noted as landed, or not recorded. */
  async remove(mint: Address): Promise<boolean> {
    const removed = await this.#store.db
      .delete(studioLaunches)
      .where(and(this.#isOf(mint), isNull(studioLaunches.landedAt)))
      .returning({ mint: studioLaunches.mint });
    return removed.length > 0;
  }

  /** Lists launches of which nobody has said whether they landed, the oldest first. */
  async listOpen(before: number, limit: number): Promise<readonly StudioLaunch[]> {
    const { network, landedAt, submittedAt } = studioLaunches;
    const rows = await this.#store.db
      .select()
      .from(studioLaunches)
      .where(and(eq(network, this.#network), isNull(landedAt), lt(submittedAt, before)))
      .orderBy(submittedAt)
      .limit(limit);
    return rows.map(readLaunchRow);
  }

  #isOf(mint: Address) {
    return and(eq(studioLaunches.network, this.#network), eq(studioLaunches.mint, mint));
  }
}

function readLaunchRow(row: typeof studioLaunches.$inferSelect): StudioLaunch {
  return {
    mint: row.mint as Address,
    config: row.config as Address,
    owner: row.owner as Address,
    signature: row.signature,
    lastValidBlockHeight: BigInt(row.lastValidHeight),
    content: row.content,
    headerType: row.headerType,
    submittedAt: row.submittedAt,
    landedAt: row.landedAt,
  };
}
