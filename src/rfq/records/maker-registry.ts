import { eq } from 'drizzle-orm';
import { formatForError } from '../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import { makers, webhooks } from './maker-tables.ts';
import type { TextSealer } from '../../common/ports/text-sealer.ts';
import { sealWebhookKey } from './webhook-keys.ts';
import type { MakeChange } from './audited-change.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';

export interface MakerRegistry {
  /** Returns the hash that is stored instead of a key. */
  readonly hashKey: (key: string) => string;
  /** Encrypts the keys of webhooks, which have to be sent. */
  readonly sealer: TextSealer;
  readonly newKey: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A maker as the operator registered it, without its key. */
export interface RegisteredMaker {
  readonly id: string;
  /** Signs fills and owns the inventory. */
  readonly address: Address;
  /** The pairs that the maker may quote; null for all pairs. */
  readonly pairs: readonly MakerPair[] | null;
  readonly enabled: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

export interface MakerPair {
  readonly base: Address;
  readonly quote: Address;
}

/** The fields of a new maker, as the operator typed them. */
export interface MakerTerms {
  readonly id: string;
  readonly address: string;
  /** `BASE/QUOTE` by their mints; null for all pairs. */
  readonly pairs: readonly string[] | null;
  /** Where the maker is asked for quotes; null or absent if it streams only. */
  readonly webhook?: WebhookTerms | null;
}

/** A webhook as the operator typed it. */
export interface WebhookTerms {
  readonly url: string;
  /** Sent as `x-api-key`; null if the maker wants none. */
  readonly apiKey: string | null;
}

const MAKER_ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
const MAX_MAKERS = 10_000;
const MAX_PAIRS = 100;

/**
 * Registers a maker.
 * @param change - Makes the change for the caller.
 * @param key - The key to use; by default, a new one is created.
 * @returns the record with `key`, which is shown only now and is not stored; a refusal when the terms are invalid, or
 *   the id or address is taken
 */
export function addMaker(
  registry: MakerRegistry,
  change: MakeChange,
  terms: MakerTerms,
  key = registry.newKey(),
): Promise<Result<RegisteredMaker & { readonly key: string }>> {
  return toResult(async () => {
    const { id } = terms;
    if (!MAKER_ID.test(id)) {
      const rule = '1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit';
      throw new Refused('invalid-value', `the maker's id must be ${rule}, got ${formatForError(id)}`);
    }
    const address = parseMakerAddress('address', terms.address);
    const pairs = terms.pairs === null ? null : parseMakerPairs(terms.pairs);
    const webhook = terms.webhook == null ? null : checkedWebhook(terms.webhook);
    return change(async (db) => {
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
      const record = { id, address, pairs, enabled: true, createdAt: registry.now() };
      const text = pairs === null ? null : formatMakerPairs(pairs);
      await db.insert(makers).values({ ...record, pairs: text, enabled: 1, hash: registry.hashKey(key) });
      if (webhook !== null) {
        const { url, apiKey } = webhook;
        const sealedKey = apiKey === null ? null : sealWebhookKey(registry.sealer, id, apiKey);
        const row = { makerId: id, url, apiKey: null, sealedKey, state: '{}', version: 0 };
        await db.insert(webhooks).values(row);
      }
      // The key that the maker wants is a secret.
      const after = { address, pairs: text, ...(webhook === null ? {} : { webhook: webhook.url }) };
      return { result: { ...record, key }, action: 'maker.added', subject: id, before: null, after };
    });
  });
}

/**
 * Enables or disables a maker.
 * Returns a refusal when there is no such maker.
 */
export function enableMaker(
  change: MakeChange,
  id: string,
  enabled: boolean,
): Promise<Result<RegisteredMaker>> {
  return toResult(async () => {
    return change(async (db) => {
      const row = await findMaker(db, id);
      await db
        .update(makers)
        .set({ enabled: enabled ? 1 : 0 })
        .where(eq(makers.id, id));
      return {
        result: { ...parseMakerRow(row), enabled },
        action: enabled ? 'maker.enabled' : 'maker.disabled',
        subject: id,
        before: { enabled: row.enabled === 1 },
        after: { enabled },
      };
    });
  });
}

/**
 * Moves the webhook of a maker to another URL. The key stays.
 * Returns a refusal when there is no such maker, or it has no webhook.
 */
export function moveWebhook(change: MakeChange, id: string, url: string): Promise<Result<string>> {
  return toResult(async () => {
    const { url: after } = checkedWebhook({ url, apiKey: null });
    return change(async (db) => {
      const [row] = await db.select().from(webhooks).where(eq(webhooks.makerId, id));
      if (row === undefined) throw new Refused('not-found', `there is no webhook of ${formatForError(id)}`);
      await db.update(webhooks).set({ url: after }).where(eq(webhooks.makerId, id));
      return {
        result: after,
        action: 'maker.webhook_moved',
        subject: id,
        before: { url: row.url },
        after: { url: after },
      };
    });
  });
}

/**
 * Replaces the key of a maker. The previous key is refused from now on.
 * Returns the record with `key`, which is shown only now and is not stored; a refusal when there is no such maker.
 */
export function rotateMakerKey(
  registry: MakerRegistry,
  change: MakeChange,
  id: string,
): Promise<Result<RegisteredMaker & { readonly key: string }>> {
  return toResult(async () => {
    return change(async (db) => {
      const row = await findMaker(db, id);
      const key = registry.newKey();
      await db
        .update(makers)
        .set({ hash: registry.hashKey(key) })
        .where(eq(makers.id, id));
      return {
        result: { ...parseMakerRow(row), key },
        action: 'maker.key_rotated',
        subject: id,
        before: null,
        after: null,
      };
    });
  });
}

/**
 * Writes to the audit log that the operator reinstated a maker, which `Makers.reinstate` carries out.
 * Returns a refusal when there is no such maker.
 */
export function recordReinstatement(change: MakeChange, id: string): Promise<Result<RegisteredMaker>> {
  return toResult(async () => {
    return change(async (db) => {
      const row = await findMaker(db, id);
      return {
        result: parseMakerRow(row),
        action: 'maker.reinstated',
        subject: id,
        before: null,
        after: null,
      };
    });
  });
}

export function parseMakerRow(row: typeof makers.$inferSelect): RegisteredMaker {
  const { id, address, pairs, enabled, createdAt } = row;
  return {
    id,
    address: parseMakerAddress('address', address),
    pairs: pairs === null ? null : parseMakerPairs(pairs.split(',')),
    enabled: enabled === 1,
    createdAt,
  };
}

async function findMaker(db: Database, id: string) {
  const [row] = await db.select().from(makers).where(eq(makers.id, id));
  if (row === undefined) throw new Refused('not-found', `there is no maker ${formatForError(id)}`);
  return row;
}

function parseMakerPairs(texts: readonly string[]): readonly MakerPair[] {
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
    return {
      base: parseMakerAddress('the base of a pair', base),
      quote: parseMakerAddress('the quote of a pair', quote),
    };
  });
}

const MAX_URL_LENGTH = 500;
const MAX_WEBHOOK_KEY = 200;

/** Checks the form of the terms. `findUrlProblem` checks where the URL may lead. */
function checkedWebhook({ url, apiKey }: WebhookTerms): WebhookTerms {
  if (url.length > MAX_URL_LENGTH || !URL.canParse(url)) {
    throw new Refused('invalid-value', `the webhook must be a URL, got ${formatForError(url)}`);
  }
  if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey.slice(0, MAX_WEBHOOK_KEY + 1))) {
    throw new Refused('invalid-value', "the webhook's key must be visible ASCII characters without spaces");
  }
  if (apiKey !== null && apiKey.length > MAX_WEBHOOK_KEY) {
    throw new Refused('invalid-value', `the webhook's key must have at most ${MAX_WEBHOOK_KEY} characters`);
  }
  return { url: url.replace(/\/+$/, ''), apiKey };
}

function formatMakerPairs(pairs: readonly MakerPair[]): string {
  return pairs.map(({ base, quote }) => `${base}/${quote}`).join(',');
}

function parseMakerAddress(what: string, text: string): Address {
  const address = parseAddress(text);
  if (address !== null) return address;
  throw new Refused(
    'invalid-value',
    `${what} must be an address of 32 bytes in base58, got ${formatForError(text)}`,
  );
}
