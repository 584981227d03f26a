import { eq } from 'drizzle-orm';
import { formatForError } from '../../common/format-for-error.ts';
import type { Address } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import { makers, webhooks } from './maker-tables.ts';
import type { TextSealer } from '../../common/ports/text-sealer.ts';
import type { MakeChange } from '../../store/audited-change.ts';
import {
  parseMakerId,
  parseMakerName,
  parseWebhookTerms,
  formatMakerPairs,
  type MakerPair,
  type MakerTerms,
  parseMakerAddress,
  parseMakerPairs,
  type WebhookTerms,
} from './maker-terms.ts';
import { sealWebhookKey } from './webhook-keys.ts';
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
  /** What the operator calls the maker; null without a name. */
  readonly name: string | null;
  /** Signs fills and owns the inventory. */
  readonly address: Address;
  /** The pairs that the maker may quote; null for all pairs. */
  readonly pairs: readonly MakerPair[] | null;
  readonly enabled: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

const MAX_MAKERS = 10_000;

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
    const id = parseMakerId(terms.id);
    const name = terms.name == null ? null : parseMakerName(terms.name);
    const address = parseMakerAddress('address', terms.address);
    const pairs = terms.pairs === null ? null : parseMakerPairs(terms.pairs);
    const webhook = terms.webhook == null ? null : parseWebhookTerms(terms.webhook);
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
      const record = { id, name, address, pairs, enabled: true, createdAt: registry.now() };
      const text = formatMakerPairs(pairs);
      await db.insert(makers).values({ ...record, pairs: text, enabled: 1, hash: registry.hashKey(key) });
      if (webhook !== null) {
        await db.insert(webhooks).values(createWebhookRow(registry, id, webhook));
      }
      // The key that the maker wants is a secret.
      const after = {
        address,
        pairs: text,
        ...(name === null ? {} : { name }),
        ...(webhook === null ? {} : { webhook: webhook.url }),
      };
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
      const row = await findMakerRow(db, id);
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
    const { url: after } = parseWebhookTerms({ url, apiKey: null });
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
      const row = await findMakerRow(db, id);
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
      const row = await findMakerRow(db, id);
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
  const { id, name, address, pairs, enabled, createdAt } = row;
  return {
    id,
    name,
    address: parseMakerAddress('address', address),
    pairs: pairs === null ? null : parseMakerPairs(pairs.split(',')),
    enabled: enabled === 1,
    createdAt,
  };
}

/** @throws Refused when there is no such maker */
export async function findMakerRow(db: Database, id: string) {
  const [row] = await db.select().from(makers).where(eq(makers.id, id));
  if (row === undefined) throw new Refused('not-found', `there is no maker ${formatForError(id)}`);
  return row;
}

/**
 * Returns the row of a webhook that is registered now. Its version begins at the current time, so that it is higher than that
 * of an earlier webhook of the same maker, whose state may still be on its way to the database.
 */
export function createWebhookRow(
  { sealer, now }: Pick<MakerRegistry, 'sealer' | 'now'>,
  makerId: string,
  { url, apiKey }: WebhookTerms,
) {
  const sealedKey = apiKey === null ? null : sealWebhookKey(sealer, makerId, apiKey);
  return { makerId, url, apiKey: null, sealedKey, state: '{}', version: now() };
}
