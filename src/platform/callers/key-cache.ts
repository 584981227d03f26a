import { and, eq, isNull, lt, or } from 'drizzle-orm';
import { apiKeys, organisations, teams } from '../tables/account-tables.ts';
import { meta } from '../../store/schema/meta.ts';
import type { Database, Store } from '../../store/index.ts';
import { type HashKey, createInProcessKeyHasher, MAX_KEY_LENGTH } from '../credentials/api-key.ts';
import { takeAdvisoryLock } from '../../store/advisory-lock.ts';
import type { RuleSet } from '../firewall/evaluate.ts';
import { loadRuleSets, NO_RULES, type RuleSets } from '../firewall/stored-rule.ts';
import {
  type ChangedLimits,
  getPlanLimits,
  loadPlanLimits,
  NO_CHANGED_LIMITS,
} from '../plans/plan-limits.ts';
import { type Limits, parsePlanName } from '../plans/plans.ts';
import { parseStoredProducts } from '../plans/products.ts';
import { REVISION } from '../audit/revision.ts';

/** A key as requests are checked against it. */
export interface KnownKey {
  readonly id: string;
  /** The key's name, which is unique in its team. */
  readonly name: string;
  readonly teamId: string;
  readonly organisationId: string;
  /** The firewall of the key's team; null when no rule is enabled. */
  readonly rules: RuleSet | null;
  readonly limits: Limits;
  /** Names of products; null: every product. */
  readonly products: readonly string[] | null;
  /** Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** How many times of last use one transaction writes; a change may have to wait until it ends. */
const USES_TOGETHER = 200;

/**
 * Holds every key with its team's firewall in memory, so that no request waits for the database. Keys are looked up by
 * their keyed hash, so the duration of a lookup reveals nothing about a key without the hash's secret. Only the key that the
 * same connection has used last is compared directly, in a time that depends on its length alone.
 */
export class KeyCache {
  readonly #store: Store;
  readonly #hashKey: HashKey;
  readonly #now: () => number;
  readonly #hashInProcess = createInProcessKeyHasher();
  #refreshedAt = 0;
  #byHash: ReadonlyMap<string, KnownKey> = new Map();
  /** The keys of `#byHash` that were used, by their hash in this process, which is cheaper to compute. */
  #byCheapHash = new Map<string, KnownKey>();
  #ruleSets: RuleSets = NO_RULES;
  #planLimits: ChangedLimits = NO_CHANGED_LIMITS;
  #revision = '';
  #reloading: Promise<void> = Promise.resolve();
  /** Times of last use that are not written yet, by key id. */
  readonly #used = new Map<string, number>();

  constructor(store: Store, hashKey: HashKey, now: () => number) {
    this.#store = store;
    this.#hashKey = hashKey;
    this.#now = now;
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** Unix milliseconds of the last time the cache was confirmed to match the database. */
  get refreshedAt(): number {
    return this.#refreshedAt;
  }

  /** The limits of plans that the operator has changed; another object after each change. */
  get planLimits(): ChangedLimits {
    return this.#planLimits;
  }

  /** Returns null when the key is unknown or has expired. */
  find(key: string, now: number): KnownKey | null {
    if (key.length > MAX_KEY_LENGTH) return null;
    const cheapHash = this.#hashInProcess(key);
    const known = this.#byCheapHash.get(cheapHash) ?? this.#findByHash(key, cheapHash);
    if (known === undefined || (known.expiresAt !== null && now >= known.expiresAt)) return null;
    this.#used.set(known.id, now);
    return known;
  }

  /**
   * Caches a known key under its cheap hash. Unknown keys are not cached, so requests with made-up keys cannot fill the
   * memory.
   */
  #findByHash(key: string, cheapHash: string): KnownKey | undefined {
    const known = this.#byHash.get(this.#hashKey(key));
    if (known !== undefined) this.#byCheapHash.set(cheapHash, known);
    return known;
  }

  /** Returns Unix milliseconds of the last use through this process that is not written yet; null when there is none. */
  usedAt(keyId: string): number | null {
    return this.#used.get(keyId) ?? null;
  }

  /** Loads the changes of this and other processes. After it resolves, all changes committed before the call are seen. */
  refresh(): Promise<void> {
    const next = this.#reloading.then(async () => {
      const askedAt = this.#now();
      const [row] = await this.#store.db.select().from(meta).where(eq(meta.name, REVISION));
      const revision = row?.value ?? '';
      if (revision === this.#revision) {
        this.#refreshedAt = askedAt;
        return;
      }
      const loaded = await this.#store.transaction(async (db) => {
        const ruleSets = await loadRuleSets(db, this.#ruleSets);
        const planLimits = await loadPlanLimits(db);
        return { ruleSets, planLimits, byHash: await loadKeys(db, ruleSets, planLimits) };
      });
      this.#byHash = loaded.byHash;
      this.#byCheapHash = new Map();
      this.#ruleSets = loaded.ruleSets;
      this.#planLimits = loaded.planLimits;
      this.#revision = revision;
      this.#refreshedAt = askedAt;
    });
    this.#reloading = next.catch(() => undefined);
    return next;
  }

  /** Writes the times of last use. If that fails, they are kept and written the next time. */
  async writeUses(): Promise<void> {
    const uses = [...this.#used];
    for (let first = 0; first < uses.length; first += USES_TOGETHER) {
      const some = uses.slice(first, first + USES_TOGETHER);
      await this.#store.transaction(async (db) => {
        // Without the lock, transactions that write the same keys in different orders could deadlock.
        await takeAdvisoryLock(db, REVISION);
        for (const [id, at] of some) await noteUse(db, id, at);
      });
      for (const [id, at] of some) if (this.#used.get(id) === at) this.#used.delete(id);
    }
  }
}

/** Writes the time of last use, unless another instance has written a later one. */
async function noteUse(db: Database, id: string, at: number): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: at })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, at))));
}

async function loadKeys(
  db: Database,
  ruleSets: RuleSets,
  planLimits: ChangedLimits,
): Promise<ReadonlyMap<string, KnownKey>> {
  const planOfOrganisation = new Map(
    (await db.select().from(organisations)).map(({ id, plan }) => [id, plan]),
  );
  const organisationOfTeam = new Map(
    (await db.select().from(teams)).map((team) => [team.id, team.organisationId]),
  );
  const byHash = new Map<string, KnownKey>();
  for (const { id, name, teamId, hash, products, expiresAt } of await db.select().from(apiKeys)) {
    const organisationId = organisationOfTeam.get(teamId);
    const plan = organisationId === undefined ? undefined : planOfOrganisation.get(organisationId);
    // The team or the organisation was deleted between two of the queries.
    if (organisationId === undefined || plan === undefined) continue;
    byHash.set(hash, {
      id,
      name,
      teamId,
      organisationId,
      rules: ruleSets.byTeam.get(teamId) ?? null,
      limits: getPlanLimits(planLimits, parsePlanName(plan)),
      products: parseStoredProducts(products),
      expiresAt,
    });
  }
  return byHash;
}
