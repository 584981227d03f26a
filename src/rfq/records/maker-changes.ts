import { eq } from 'drizzle-orm';
import { formatForError } from '../../common/format-for-error.ts';
import { Refused, type Result, toResult } from '../../common/refusal.ts';
import type { Database } from '../../store/index.ts';
import type { MakeChange } from '../../store/audited-change.ts';
import { createWebhookRow, findMakerRow, type MakerRegistry } from './maker-registry.ts';
import { makers, webhooks } from './maker-tables.ts';
import { formatMakerPairs, parseMakerName, parseMakerPairs, parseWebhookTerms } from './maker-terms.ts';
import { sealWebhookKey } from './webhook-keys.ts';

/** The fields of a maker that change, as the operator typed them. An absent one stays as it is. */
export interface MakerChange {
  /** Null for none. */
  readonly name?: string | null | undefined;
  /** `BASE/QUOTE` by their mints; null for all pairs. */
  readonly pairs?: readonly string[] | null | undefined;
  /** The URL of the webhook; null if the maker is not asked any more. */
  readonly webhook?: string | null | undefined;
  /** The key that the webhook wants; null if it wants none. */
  readonly webhookKey?: string | null | undefined;
}

type Registry = Pick<MakerRegistry, 'sealer' | 'now'>;

/** A part of a change, in the form of the audit log. */
interface AppliedChange {
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
}

/**
 * Changes the name, the pairs or the webhook of a maker. Its key, its wallet and its statistics stay, also those of a
 * webhook that is moved.
 * Returns a refusal when there is no such maker, nothing is to be changed, or a value is invalid.
 */
export function changeMaker(
  registry: Registry,
  change: MakeChange,
  id: string,
  terms: MakerChange,
): Promise<Result<void>> {
  return toResult(async () => {
    if (Object.values(terms).every((value) => value === undefined)) {
      throw new Refused('invalid-value', 'nothing is to be changed: give name, pairs, webhook or webhookKey');
    }
    const name = terms.name == null ? terms.name : parseMakerName(terms.name);
    const pairs = terms.pairs == null ? terms.pairs : parseMakerPairs(terms.pairs);
    return change(async (db) => {
      const row = await findMakerRow(db, id);
      const set = {
        ...(name === undefined ? {} : { name }),
        ...(pairs === undefined ? {} : { pairs: formatMakerPairs(pairs) }),
      };
      if (Object.keys(set).length > 0) await db.update(makers).set(set).where(eq(makers.id, id));
      const before = Object.fromEntries(Object.keys(set).map((key) => [key, row[key as keyof typeof set]]));
      const webhook = await changeWebhook(registry, db, id, terms);
      return {
        result: undefined,
        action: 'maker.changed',
        subject: id,
        before: { ...before, ...webhook.before },
        after: { ...set, ...webhook.after },
      };
    });
  });
}

/**
 * Removes a maker with its key, its webhook and its statistics. Its fills stay in the records, by its id, and what it was
 * sent before goes on to its end. The id and the wallet are free for another maker.
 * Returns a refusal when there is no such maker.
 */
export function removeMaker(change: MakeChange, id: string): Promise<Result<void>> {
  return toResult(async () => {
    return change(async (db) => {
      const { name, address, pairs } = await findMakerRow(db, id);
      const [webhook] = await db.select({ url: webhooks.url }).from(webhooks).where(eq(webhooks.makerId, id));
      // The states of the maker and of its webhook are deleted with it.
      await db.delete(makers).where(eq(makers.id, id));
      return {
        result: undefined,
        action: 'maker.removed',
        subject: id,
        before: {
          address,
          pairs,
          ...(name === null ? {} : { name }),
          ...(webhook === undefined ? {} : { webhook: webhook.url }),
        },
        after: null,
      };
    });
  });
}

async function changeWebhook(
  registry: Registry,
  db: Database,
  makerId: string,
  { webhook, webhookKey }: MakerChange,
): Promise<AppliedChange> {
  if (webhook === undefined && webhookKey === undefined) return { before: {}, after: {} };
  const [row] = await db.select().from(webhooks).where(eq(webhooks.makerId, makerId));
  const url = webhook === undefined ? (row?.url ?? null) : webhook;
  if (url === null) {
    if (webhookKey !== undefined) {
      throw new Refused(
        'invalid-value',
        `webhookKey is the key of a webhook, but ${formatForError(makerId)} would have none`,
      );
    }
    await db.delete(webhooks).where(eq(webhooks.makerId, makerId));
    return { before: { webhook: row?.url ?? null }, after: { webhook: null } };
  }
  const terms = parseWebhookTerms({ url, apiKey: webhookKey ?? null });
  if (row === undefined) await db.insert(webhooks).values(createWebhookRow(registry, makerId, terms));
  else {
    const { sealer } = registry;
    const sealedKey = terms.apiKey === null ? null : sealWebhookKey(sealer, makerId, terms.apiKey);
    await db
      .update(webhooks)
      .set({ url: terms.url, ...(webhookKey === undefined ? {} : { sealedKey }) })
      .where(eq(webhooks.makerId, makerId));
  }
  const isMoved = webhook !== undefined;
  return {
    before: { ...(isMoved ? { webhook: row?.url ?? null } : {}) },
    // The key itself is a secret.
    after: {
      ...(isMoved ? { webhook: terms.url } : {}),
      ...(webhookKey === undefined ? {} : { webhookKey: webhookKey === null ? 'removed' : 'replaced' }),
    },
  };
}
