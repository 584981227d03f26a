import { eq } from 'drizzle-orm';
import { formatForError } from '../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import { makers } from '../../store/schema.ts';
import { type HashKey, newApiKey } from '../credentials/api-key.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { Refused, resultOf, type Result } from '../refusal.ts';

/** What changes of makers need. */
export interface MakerDependencies extends ChangeDependencies {
  readonly hashKey: HashKey;
  /** What every key begins with. */
  readonly keyPrefix: string;
}

/** A maker as the operator issued it; nothing of its key. */
export interface MakerRecord {
  readonly id: string;
  /** Signs fills and owns the inventory. */
  readonly address: Address;
  /** Null: every pair. */
  readonly pairs: readonly MakerPair[] | null;
  readonly enabled: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

export interface MakerPair {
  readonly base: Address;
  readonly quote: Address;
}

/** What the operator says of a new maker, as it was typed. */
export interface MakerTerms {
  readonly id: string;
  readonly address: string;
  /** `BASE/QUOTE` by their mints; null: every pair. */
  readonly pairs: readonly string[] | null;
}

const MAKER_ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
const MAX_MAKERS = 10_000;
const MAX_PAIRS = 100;

/**
 * @param key a new one when absent
 * @returns with `key`, which is shown this once and kept nowhere; a refusal when the terms are wrong, or the id or the address is taken
 */
export function addMaker(
  parts: MakerDependencies,
  actor: Actor,
  terms: MakerTerms,
  key = newApiKey(parts.keyPrefix),
): Promise<Result<MakerRecord & { readonly key: string }>> {
  return resultOf(async () => {
    const { id } = terms;
    if (!MAKER_ID.test(id)) {
      const rule = '1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit';
      throw new Refused('invalid-value', `the maker's id must be ${rule}, got ${formatForError(id)}`);
    }
    const address = addressOf('address', terms.address);
    const pairs = terms.pairs === null ? null : pairsOf(terms.pairs);
    return change(parts, actor, async (db) => {
      const others = await db.select({ id: makers.id, address: makers.address }).from(makers);
      if (others.some((other) => other.id === id)) {
        throw new Refused('already-exists', `there is a maker ${formatForError(id)} already`);
      }
      const holder = others.find((other) => other.address === address);
      if (holder !== undefined) {
        throw new Refused(
          'already-exists',
          `the address ${address} is the maker ${formatForError(holder.id)}'s already`,
        );
      }
      if (others.length >= MAX_MAKERS) {
        throw new Refused('limit-reached', `there are ${MAX_MAKERS} makers, and more are not allowed`);
      }
      const record = { id, address, pairs, enabled: true, createdAt: parts.now() };
      const text = pairs === null ? null : textOf(pairs);
      await db.insert(makers).values({ ...record, pairs: text, enabled: 1, hash: parts.hashKey(key) });
      const after = { address, pairs: text };
      return { result: { ...record, key }, action: 'maker.add', subject: id, before: null, after };
    });
  });
}

/** @returns a refusal when there is no such maker */
export function enableMaker(
  parts: MakerDependencies,
  actor: Actor,
  id: string,
  enabled: boolean,
): Promise<Result<MakerRecord>> {
  return resultOf(async () => {
    return change(parts, actor, async (db) => {
      const row = await findMaker(db, id);
      await db
        .update(makers)
        .set({ enabled: enabled ? 1 : 0 })
        .where(eq(makers.id, id));
      return {
        result: { ...recordOf(row), enabled },
        action: enabled ? 'maker.enable' : 'maker.disable',
        subject: id,
        before: { enabled: row.enabled === 1 },
        after: { enabled },
      };
    });
  });
}

/**
 * Gives the maker another key; the one before is of nobody from now on.
 * @returns with `key`, which is shown this once and kept nowhere; a refusal when there is no such maker
 */
export function rotateMakerKey(
  parts: MakerDependencies,
  actor: Actor,
  id: string,
): Promise<Result<MakerRecord & { readonly key: string }>> {
  return resultOf(async () => {
    return change(parts, actor, async (db) => {
      const row = await findMaker(db, id);
      const key = newApiKey(parts.keyPrefix);
      await db
        .update(makers)
        .set({ hash: parts.hashKey(key) })
        .where(eq(makers.id, id));
      return {
        result: { ...recordOf(row), key },
        action: 'maker.rotate',
        subject: id,
        before: null,
        after: null,
      };
    });
  });
}

/**
 * Writes down that the operator reinstates a maker; the market does it.
 * @returns a refusal when there is no such maker
 */
export function recordReinstatement(
  parts: MakerDependencies,
  actor: Actor,
  id: string,
): Promise<Result<MakerRecord>> {
  return resultOf(async () => {
    return change(parts, actor, async (db) => {
      const row = await findMaker(db, id);
      return { result: recordOf(row), action: 'maker.reinstate', subject: id, before: null, after: null };
    });
  });
}

export function recordOf(row: typeof makers.$inferSelect): MakerRecord {
  const { id, address, pairs, enabled, createdAt } = row;
  return {
    id,
    address: addressOf('address', address),
    pairs: pairs === null ? null : pairsOf(pairs.split(',')),
    enabled: enabled === 1,
    createdAt,
  };
}

async function findMaker(db: Database, id: string) {
  const [row] = await db.select().from(makers).where(eq(makers.id, id));
  if (row === undefined) throw new Refused('not-found', `there is no maker ${formatForError(id)}`);
  return row;
}

function pairsOf(texts: readonly string[]): readonly MakerPair[] {
  if (texts.length === 0 || texts.length > MAX_PAIRS) {
    throw new Refused('invalid-value', `pairs must be 1 to ${MAX_PAIRS}, got ${texts.length}`);
  }
  return texts.map((text) => {
    const [base = '', quote = '', ...rest] = text.split('/');
    if (rest.length > 0 || base === quote) {
      throw new Refused(
        'invalid-value',
        `a pair must be BASE/QUOTE by their mints, got ${formatForError(text)}`,
      );
    }
    return { base: addressOf('the base of a pair', base), quote: addressOf('the quote of a pair', quote) };
  });
}

function textOf(pairs: readonly MakerPair[]): string {
  return pairs.map(({ base, quote }) => `${base}/${quote}`).join(',');
}

function addressOf(what: string, text: string): Address {
  const address = parseAddress(text);
  if (address !== null) return address;
  throw new Refused(
    'invalid-value',
    `${what} must be an address of 32 bytes in base58, got ${formatForError(text)}`,
  );
}
