import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { apiKeys } from '../../store/schema.ts';
import type { Database } from '../../store/index.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { type HashKey, newApiKey } from '../credentials/api-key.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { Refused, resultOf, type Result } from '../refusal.ts';
import { checkKeyName } from './names.ts';
import { checkProducts, storedProducts } from '../plans/products.ts';
import { findTeam, type TeamPath } from './teams.ts';

/** What changes of keys need. */
export interface KeyDependencies extends ChangeDependencies {
  readonly keys: ChangeDependencies['keys'] & {
    /** Unix milliseconds of the last use through this process that is not written yet; null: none. */
    readonly usedAt: (keyId: string) => number | null;
  };
  readonly hashKey: HashKey;
  /** Names of the registered products: keys can be confined to some of them. */
  readonly products: readonly string[];
  /** What every key begins with. */
  readonly keyPrefix: string;
}

/** What may be shown of a key; the key itself is not part of it. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
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

const MAX_KEYS = 1_000;

/**
 * @param terms when absent: the key opens every product and never expires
 * @param key an existing key to store; when absent, a new one is created
 * @returns the record with `key`, which is shown only now and is not stored; a refusal when the name or the terms are
 *   invalid, or the team already has a key of that name
 * @throws Unavailable when the database does not answer; if the key was created nevertheless, it is deleted as soon as the
 *   database answers again
 */
export function createKey(
  parts: KeyDependencies,
  actor: Actor,
  path: KeyPath,
  terms: Partial<KeyTerms>,
  key: string = newApiKey(parts.keyPrefix),
): Promise<Result<KeyRecord & { readonly key: string }>> {
  return resultOf(async () => {
    checkKeyName(path.key);
    const columns = { products: null, expiresAt: null, ...columnsOf(terms, parts) };
    return change(parts, actor, async (db) => {
      const { id: teamId } = await findTeam(db, path);
      const others = await keysOf(db, teamId);
      if (others.some(({ name }) => name === path.key)) {
        throw new Refused(
          'already-exists',
          `${path.organisation}/${path.team} has a key ${formatForError(path.key)} already`,
        );
      }
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
        hash: parts.hashKey(key),
        ...columns,
        lastUsedAt: null,
        createdAt: parts.now(),
      };
      await db.insert(apiKeys).values(row);
      const result = { ...recordOf(row), key };
      const undo = {
        action: 'key.delete',
        work: (on: Database) => on.delete(apiKeys).where(eq(apiKeys.id, row.id)),
      };
      return { result, action: 'key.create', subject: subjectOf(path), before: null, after: columns, undo };
    });
  });
}

/** @returns a refusal when there is no such team */
export function listKeys(parts: KeyDependencies, team: TeamPath): Promise<Result<readonly KeyRecord[]>> {
  return resultOf(async () => {
    const { id } = await findTeam(parts.store.db, team);
    return (await keysOf(parts.store.db, id)).map((row) => {
      const record = recordOf(row);
      return { ...record, lastUsedAt: parts.keys.usedAt(row.id) ?? record.lastUsedAt };
    });
  });
}

/**
 * Fields that are absent from `terms` keep their values.
 * @returns a refusal when there is no such key, or the terms are wrong
 */
export function changeKey(
  parts: KeyDependencies,
  actor: Actor,
  path: KeyPath,
  terms: Partial<KeyTerms>,
): Promise<Result<KeyRecord>> {
  return resultOf(async () => {
    const changed = columnsOf(terms, parts);
    return change(parts, actor, async (db) => {
      const row = await findKey(db, path);
      const columns = { products: row.products, expiresAt: row.expiresAt, ...changed };
      await db.update(apiKeys).set(columns).where(eq(apiKeys.id, row.id));
      const before = { products: row.products, expiresAt: row.expiresAt };
      const result = recordOf({ ...row, ...columns });
      return { result, action: 'key.change', subject: subjectOf(path), before, after: columns };
    });
  });
}

/** @returns a refusal when there is no such key */
export function deleteKey(parts: KeyDependencies, actor: Actor, path: KeyPath): Promise<Result<void>> {
  return resultOf(async () => {
    return change(parts, actor, async (db) => {
      const { id, products, expiresAt } = await findKey(db, path);
      await db.delete(apiKeys).where(eq(apiKeys.id, id));
      const before = { products, expiresAt };
      return { result: undefined, action: 'key.delete', subject: subjectOf(path), before, after: null };
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

/** @returns a refusal when it does not exist */
export function getKey(db: Database, path: KeyPath): Promise<Result<KeyRecord>> {
  return resultOf(async () => recordOf(await findKey(db, path)));
}

function keysOf(db: Database, teamId: string) {
  return db.select().from(apiKeys).where(eq(apiKeys.teamId, teamId)).orderBy(apiKeys.name);
}

function columnsOf(
  { products, expiresAt }: Partial<KeyTerms>,
  parts: Pick<KeyDependencies, 'now' | 'products'>,
) {
  const now = parts.now();
  if (typeof expiresAt === 'number' && expiresAt <= now) {
    throw new Refused(
      'invalid-value',
      `expiresAt must be later than now, which is ${now} in Unix milliseconds, got ${expiresAt}`,
    );
  }
  return {
    ...(products === undefined
      ? {}
      : { products: products === null ? null : checkProducts(products, parts.products).join(',') }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function recordOf(row: typeof apiKeys.$inferSelect): KeyRecord {
  const { id, name, products, expiresAt, lastUsedAt, createdAt } = row;
  return { id, name, products: storedProducts(products), expiresAt, lastUsedAt, createdAt };
}

function subjectOf({ organisation, team, key }: KeyPath): string {
  return `${organisation}/${team}/${key}`;
}
