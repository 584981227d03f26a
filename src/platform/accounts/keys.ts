import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { apiKeys } from '../tables/account-tables.ts';
import type { Database } from '../../store/index.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { toKeyExcerpt, type HashKey, createApiKey } from '../credentials/api-key.ts';
import { type Actor, change, type ChangeDependencies, type ChangeEntry } from '../audit/audit.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import { checkKeyName } from './names.ts';
import { checkProducts, parseStoredProducts } from '../plans/products.ts';
import { renameKeyInRules } from './key-names.ts';
import { findOwnTeam } from './team-members.ts';
import { findTeam, type TeamPath } from './teams.ts';

export interface KeyDependencies extends ChangeDependencies {
  readonly keys: ChangeDependencies['keys'] & {
    /** Unix milliseconds of the last use through this process that is not written yet; null: none. */
    readonly usedAt: (keyId: string) => number | null;
  };
  readonly hashKey: HashKey;
  /** Names of the registered products: keys can be confined to some of them. */
  readonly products: readonly string[];
  /** Prefix of every key. */
  readonly keyPrefix: string;
}

/** What may be shown of a key; the key itself is not part of it. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  /** Its first and last characters; null: it was made by a version that did not store them. */
  readonly excerpt: string | null;
  /** Null: every product. */
  readonly products: readonly string[] | null;
  readonly expiresAt: number | null;
  /** Uses through other instances show up some seconds late; null: never used. */
  readonly lastUsedAt: number | null;
  readonly createdAt: number;
}

export interface KeyPath extends TeamPath {
  readonly key: string;
}

/** What can be changed of a key. */
export interface KeyTerms {
  readonly products: readonly string[] | null;
  /** Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
}

export interface KeyChanges extends KeyTerms {
  readonly name: string;
}

const MAX_KEYS = 1_000;

/**
 * Creates a key.
 * @param terms - The terms of the key; by default, it opens every product and never expires.
 * @param key - An existing key to store; when absent, a new one is created.
 * @returns the record with `key`, which is shown only now and is not stored; a refusal when the name or the terms are
 *   invalid, or the team already has a key of that name
 * @throws Unavailable when the database does not answer; if the key was created nevertheless, it is deleted as soon as the
 *   database answers again
 *
 * @example
 * ```ts
 * import { createKey, type KeyDependencies } from './keys.ts';
 *
 * async function newSwapKey(platform: KeyDependencies): Promise<string> {
 *   const actor = { who: 'operator', from: '127.0.0.1' };
 *   const path = { organisation: 'acme', team: 'web', key: 'ci' };
 *   const created = await createKey(platform, actor, path, { products: ['swap'] });
 *   return created.ok ? created.value.key : created.error.message;
 * }
 * ```
 */
export function createKey(
  platform: KeyDependencies,
  actor: Actor,
  path: KeyPath,
  terms: Partial<KeyTerms>,
  key: string = createApiKey(platform.keyPrefix),
): Promise<Result<KeyRecord & { readonly key: string }>> {
  return toResult(async () => {
    checkKeyName(path.key);
    const columns = { products: null, expiresAt: null, ...toKeyColumns(terms, platform) };
    return change(platform, actor, async (db) => {
      const { id: teamId } = await findOwnTeam(db, actor, path);
      const others = await selectTeamKeys(db, teamId);
      checkNameIsFree(others, path);
      if (others.length >= MAX_KEYS) {
        throw new Refused(
          'limit-reached',
          `${path.organisation}/${path.team} has ${MAX_KEYS} keys, and more are not allowed`,
        );
      }
      const row = {
        id: randomUUID(),
        teamId,
        name: path.key,
        hash: platform.hashKey(key),
        excerpt: toKeyExcerpt(key, platform.keyPrefix),
        ...columns,
        lastUsedAt: null,
        createdAt: platform.now(),
      };
      await db.insert(apiKeys).values(row);
      const result = { ...toKeyRecord(row), key };
      const undo = {
        action: 'api_key.deleted',
        work: (on: Database) => on.delete(apiKeys).where(eq(apiKeys.id, row.id)),
      };
      return {
        result,
        action: 'api_key.created',
        subject: subjectOf(path),
        before: null,
        after: columns,
        undo,
      };
    });
  });
}

/** Returns the keys of a team, by name; a refusal when there is no such team. */
export function listKeys(
  { store, keys }: Pick<KeyDependencies, 'store' | 'keys'>,
  team: TeamPath,
): Promise<Result<readonly KeyRecord[]>> {
  return toResult(async () => {
    const { id } = await findTeam(store.db, team);
    return (await selectTeamKeys(store.db, id)).map((row) => {
      const record = toKeyRecord(row);
      return { ...record, lastUsedAt: keys.usedAt(row.id) ?? record.lastUsedAt };
    });
  });
}

/**
 * Changes a key. Fields that are absent from `changes` keep their values. Firewall rules that name the key follow a new name.
 * Returns a refusal when there is no such key, the name is invalid or taken, or the terms are invalid.
 */
export function changeKey(
  platform: KeyDependencies,
  actor: Actor,
  path: KeyPath,
  { name = path.key, ...terms }: Partial<KeyChanges>,
): Promise<Result<KeyRecord>> {
  return toResult(async () => {
    checkKeyName(name);
    const changed = toKeyColumns(terms, platform);
    return change(platform, actor, async (db) => {
      const { id: teamId } = await findOwnTeam(db, actor, path);
      const row = await findKey(db, path);
      const renamed = name === row.name ? [] : [await renameKey(db, teamId, path, name)];
      const columns = { products: row.products, expiresAt: row.expiresAt, ...changed };
      await db
        .update(apiKeys)
        .set({ name, ...columns })
        .where(eq(apiKeys.id, row.id));
      const result = toKeyRecord({ ...row, name, ...columns });
      const permissions: ChangeEntry = {
        action: 'api_key.permissions_changed',
        subject: subjectOf({ ...path, key: name }),
        before: { products: row.products, expiresAt: row.expiresAt },
        after: columns,
      };
      const isRenameOnly = renamed.length > 0 && Object.keys(changed).length === 0;
      const [first, ...further] = isRenameOnly ? renamed : [...renamed, permissions];
      return { ...(first ?? permissions), further, result };
    });
  });
}

/**
 * Has the firewall rules of a team follow the new name of a key.
 * Returns the entry of the audit log.
 * @throws Refused when another key of the team has the name
 */
async function renameKey(db: Database, teamId: string, path: KeyPath, name: string): Promise<ChangeEntry> {
  checkNameIsFree(await selectTeamKeys(db, teamId), { ...path, key: name });
  const rules = await renameKeyInRules(db, teamId, path.key, name);
  return {
    action: 'api_key.renamed',
    subject: subjectOf(path),
    before: { name: path.key },
    after: rules.length === 0 ? { name } : { name, rules },
  };
}

/**
 * Deletes a key. Other instances refuse it within 15 seconds.
 * Returns a refusal when there is no such key.
 */
export function deleteKey(platform: KeyDependencies, actor: Actor, path: KeyPath): Promise<Result<void>> {
  return toResult(async () => {
    return change(platform, actor, async (db) => {
      await findOwnTeam(db, actor, path);
      const { id, products, expiresAt } = await findKey(db, path);
      await db.delete(apiKeys).where(eq(apiKeys.id, id));
      const before = { products, expiresAt };
      return { result: undefined, action: 'api_key.deleted', subject: subjectOf(path), before, after: null };
    });
  });
}

/** @throws Refused when there is no such team or key */
export async function findKey(db: Database, path: KeyPath) {
  const { id: teamId } = await findTeam(db, path);
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.teamId, teamId), eq(apiKeys.name, path.key)));
  if (row !== undefined) return row;
  throw new Refused('not-found', `${path.organisation}/${path.team} has no key ${formatForError(path.key)}`);
}

/** Returns the record of a key; a refusal when it does not exist. */
export function getKey(db: Database, path: KeyPath): Promise<Result<KeyRecord>> {
  return toResult(async () => toKeyRecord(await findKey(db, path)));
}

function selectTeamKeys(db: Database, teamId: string) {
  return db.select().from(apiKeys).where(eq(apiKeys.teamId, teamId)).orderBy(apiKeys.name);
}

/** @throws Refused when one of `keys` has the name already */
function checkNameIsFree(keys: readonly { readonly name: string }[], path: KeyPath): void {
  if (keys.every(({ name }) => name !== path.key)) return;
  throw new Refused(
    'already-exists',
    `${path.organisation}/${path.team} has a key ${formatForError(path.key)} already`,
  );
}

function toKeyColumns(
  { products, expiresAt }: Partial<KeyTerms>,
  { now: clock, products: known }: Pick<KeyDependencies, 'now' | 'products'>,
) {
  const now = clock();
  if (typeof expiresAt === 'number' && expiresAt <= now) {
    throw new Refused(
      'invalid-value',
      `expiresAt must be later than now, which is ${now} in Unix milliseconds, got ${expiresAt}`,
    );
  }
  return {
    ...(products === undefined
      ? {}
      : { products: products === null ? null : checkProducts(products, known).join(',') }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** Returns what may be shown of a stored key. */
export function toKeyRecord(row: typeof apiKeys.$inferSelect): KeyRecord {
  const { id, name, excerpt, products, expiresAt, lastUsedAt, createdAt } = row;
  return { id, name, excerpt, products: parseStoredProducts(products), expiresAt, lastUsedAt, createdAt };
}

function subjectOf({ organisation, team, key }: KeyPath): string {
  return `${organisation}/${team}/${key}`;
}
