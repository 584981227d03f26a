import {
  addMaker,
  enableMaker,
  recordReinstatement,
  rotateMakerKey,
} from '../../../rfq/records/maker-registry.ts';
import { changeMaker, removeMaker } from '../../../rfq/records/maker-changes.ts';
import { makeChangesAs } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import type { Makers } from '../../../rfq/makers/makers.ts';
import type { MakerView, ClusterMakers } from '../../../rfq/cluster/cluster-makers.ts';
import type { LiveBooks } from '../../../rfq/books/live-book.ts';
import type { MakerDesk, MakerStanding } from '../../../rfq/desk/maker-desk.ts';
import type { Webhooks } from '../../../rfq/index.ts';
import { findNoOrdersReason, type OrderProspects } from '../../../rfq/no-orders.ts';
import { findUrlProblem } from '../../../rfq/webhooks/outgoing-address.ts';
import type { WebhookView } from '../../../rfq/webhooks/webhooks.ts';
import { MakerBooksAnswer, toMakerBooksJson } from '../../../products/makers/maker-books-json.ts';
import { toStandingJson } from '../../../products/makers/maker-status-json.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import * as shape from './maker-schema.ts';
import { MakerWithStanding } from './maker-standing-schema.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { RequestInvalid } from '../../http/validation.ts';

export interface MakerControls {
  readonly platform: PlatformDependencies;
  readonly makers: Pick<Makers, 'get' | 'reinstate'>;
  /** The makers of all instances. */
  readonly clusterMakers: ClusterMakers;
  /** The makers that are asked by webhook. */
  readonly webhooks: Pick<Webhooks, 'all' | 'find' | 'note'>;
  /** The order books of all instances. */
  readonly books: Pick<LiveBooks, 'all'>;
  /** What is known of one maker beside its record. */
  readonly desk: MakerDesk;
  /** Whether webhooks may be at private addresses. */
  readonly allowsPrivate: boolean;
  /** Applies changes of the store to this process. */
  readonly refresh: () => Promise<void>;
}

const MAKERS = '/admin/v1/makers';
const MAKER = `${MAKERS}/:maker`;

const list = defineAdminEndpoint({
  method: 'GET',
  path: MAKERS,
  summary: 'The makers',
  responses: { 200: shape.MakersAnswer },
  handle: async ({ platform, clusterMakers, webhooks, books, desk }: MakerControls) => {
    const asked = new Map(webhooks.all().map((webhook) => [webhook.record.makerId, webhook]));
    const quoting = listQuotingMakers(books, platform.now());
    const bookObstacle = desk.findBookObstacle();
    const makers = (await clusterMakers.all()).map((seen) => {
      const { id } = seen.maker.record;
      return toMakerLine(seen, { webhook: asked.get(id) ?? null, hasBook: quoting.has(id), bookObstacle });
    });
    return { makers };
  },
});

const create = defineAdminEndpoint({
  method: 'POST',
  path: MAKERS,
  summary: 'Create a maker; the answer shows its key once',
  body: shape.MakerBody,
  responses: { 200: shape.NewMakerAnswer },
  handle: async (controls: MakerControls, { body, actor }) => {
    const { platform, allowsPrivate } = controls;
    const { id, name = null, address, pairs = null, webhook = null, webhookKey = null } = body;
    requireUsableUrl(webhook, allowsPrivate);
    if (webhook === null && webhookKey !== null)
      throw new RequestInvalid('webhookKey is the key of a webhook, but webhook is absent');
    const terms = {
      id,
      name,
      address,
      pairs,
      webhook: webhook === null ? null : { url: webhook, apiKey: webhookKey },
    };
    const { key } = unwrapResult(await addMaker(platform, makeChangesAs(platform, actor), terms));
    return { ...(await showChanged(controls, id)), key };
  },
});

const show = defineAdminEndpoint({
  method: 'GET',
  path: MAKER,
  summary: 'A maker and its statistics',
  params: shape.MakerParams,
  responses: { 200: MakerWithStanding },
  handle: async (controls: MakerControls, { params: { maker } }) => {
    const standing = await controls.desk.findStanding(maker);
    if (standing === null) throw createUnknownMaker(maker);
    return toMakerAnswer(standing, findProspects(controls, maker), controls.desk);
  },
});

const showBooks = defineAdminEndpoint({
  method: 'GET',
  path: `${MAKER}/books`,
  summary: 'The order books of a maker in the market',
  params: shape.MakerParams,
  responses: { 200: MakerBooksAnswer },
  handle: async ({ desk }: MakerControls, { params: { maker } }) => {
    const books = await desk.findBooks(maker);
    if (books === null) throw createUnknownMaker(maker);
    return toMakerBooksJson(maker, books);
  },
});

const change = defineAdminEndpoint({
  method: 'PATCH',
  path: MAKER,
  summary: 'Change a maker’s name, pairs or webhook',
  params: shape.MakerParams,
  body: shape.MakerChangeBody,
  responses: { 200: shape.MakerLine },
  handle: async (controls: MakerControls, { params: { maker }, body, actor }) => {
    const { platform, allowsPrivate } = controls;
    requireUsableUrl(body.webhook ?? null, allowsPrivate);
    unwrapResult(await changeMaker(platform, makeChangesAs(platform, actor), maker, body));
    return showChanged(controls, maker);
  },
});

const remove = defineAdminEndpoint({
  method: 'DELETE',
  path: MAKER,
  summary: 'Remove a maker: its key is refused, and its id and wallet are free for another one',
  params: shape.MakerParams,
  responses: { 204: shape.MakerRemoved },
  handle: async ({ platform, refresh }: MakerControls, { params: { maker }, actor }) => {
    unwrapResult(await removeMaker(makeChangesAs(platform, actor), maker));
    await refresh();
    return null;
  },
});

const enable = defineAdminEndpoint({
  method: 'POST',
  path: `${MAKER}/enable`,
  summary: 'Let a maker connect again',
  params: shape.MakerParams,
  responses: { 200: shape.MakerLine },
  handle: async (controls: MakerControls, { params: { maker }, actor }) => {
    unwrapResult(await enableMaker(makeChangesAs(controls.platform, actor), maker, true));
    await controls.webhooks.note(maker, { kind: 'enabled' });
    return showChanged(controls, maker);
  },
});

const disable = defineAdminEndpoint({
  method: 'POST',
  path: `${MAKER}/disable`,
  summary: 'Disable a maker: its streams end and its calls are refused',
  params: shape.MakerParams,
  responses: { 200: shape.MakerLine },
  handle: async (controls: MakerControls, { params: { maker }, actor }) => {
    unwrapResult(await enableMaker(makeChangesAs(controls.platform, actor), maker, false));
    return showChanged(controls, maker);
  },
});

const rotate = defineAdminEndpoint({
  method: 'POST',
  path: `${MAKER}/rotate`,
  summary: 'Replace a maker’s key; the previous one is refused from now on',
  params: shape.MakerParams,
  responses: { 200: shape.NewMakerAnswer },
  handle: async (controls: MakerControls, { params: { maker }, actor }) => {
    const { platform } = controls;
    const { key } = unwrapResult(await rotateMakerKey(platform, makeChangesAs(platform, actor), maker));
    return { ...(await showChanged(controls, maker)), key };
  },
});

const reinstate = defineAdminEndpoint({
  method: 'POST',
  path: `${MAKER}/reinstate`,
  summary: 'Let a maker quote again after it tampered or was suspended',
  params: shape.MakerParams,
  responses: { 200: shape.MakerLine },
  handle: async (controls: MakerControls, { params: { maker }, actor }) => {
    unwrapResult(await recordReinstatement(makeChangesAs(controls.platform, actor), maker));
    await controls.makers.reinstate(maker);
    await controls.webhooks.note(maker, { kind: 'enabled' });
    return showChanged(controls, maker);
  },
});

/** The market makers: who may quote, with which key, and their statistics. */
export const MAKER_ENDPOINTS = [
  list,
  create,
  show,
  showBooks,
  change,
  remove,
  enable,
  disable,
  rotate,
  reinstate,
];

/** @throws RequestInvalid if a webhook must not be at the URL; null is no URL */
function requireUsableUrl(url: string | null, allowsPrivate: boolean): void {
  const problem = url === null ? null : findUrlProblem(url, allowsPrivate);
  if (problem !== null) throw new RequestInvalid(`${problem}, got ${formatForError(url)}`);
}

/** Returns a maker after a change, which this process applies first. */
async function showChanged(controls: MakerControls, id: string) {
  await controls.refresh();
  return toMakerLine(await find(controls.clusterMakers, id), findProspects(controls, id));
}

function findProspects(
  { platform, webhooks, books, desk }: Pick<MakerControls, 'platform' | 'webhooks' | 'books' | 'desk'>,
  id: string,
): OrderProspects {
  return {
    webhook: webhooks.find(id),
    hasBook: listQuotingMakers(books, platform.now()).has(id),
    bookObstacle: desk.findBookObstacle(),
  };
}

/** @param now - Unix milliseconds. */
function listQuotingMakers(books: MakerControls['books'], now: number): ReadonlySet<string> {
  return new Set([...books.all(now)].map(({ makerId }) => makerId));
}

/** @throws RequestInvalid if there is no such maker */
async function find(clusterMakers: ClusterMakers, id: string): Promise<MakerView> {
  const maker = await clusterMakers.get(id);
  if (maker === null) throw createUnknownMaker(id);
  return maker;
}

function createUnknownMaker(id: string): RequestInvalid {
  return new RequestInvalid(`there is no maker ${formatForError(id)}`, 404);
}

function toMakerLine(seen: MakerView, prospects: OrderProspects) {
  const { maker, connected, instance } = seen;
  const { webhook } = prospects;
  const { record, status, blockedBy, state, lastSequence } = maker;
  const { id, name, address, pairs, enabled } = record;
  return {
    id,
    name,
    address,
    enabled,
    status,
    blockedBy,
    noOrders: findNoOrdersReason(seen, prospects),
    connected,
    instance,
    pairs: pairs === null ? null : pairs.map(({ base, quote }) => `${base}/${quote}`),
    tampered: state.tampered,
    suspendedUntil: state.suspendedUntil,
    lastSequenceNumber: String(lastSequence),
    webhook: webhook === null ? null : toWebhookJson(webhook),
  };
}

function toWebhookJson({ record, state, status, mints, calls }: WebhookView) {
  const { off, suspendedUntil, filled, missed, excused } = state;
  return {
    url: record.url,
    status,
    why: record.enabled ? off : 'the operator disabled the maker',
    suspendedUntil: status === 'suspended' ? suspendedUntil : null,
    mints,
    swaps: { filled, missed, excused },
    calls: { ...calls },
  };
}

function toMakerAnswer(standing: MakerStanding, prospects: OrderProspects, { policy }: MakerDesk) {
  const { statistics } = standing.view.maker;
  const { accepted, rejected, ackLatency, filled, missed, tampered } = statistics;
  const { considered, won, volume } = statistics;
  return {
    ...toMakerLine(standing.view, prospects),
    ...toStandingJson(standing, policy),
    accepted,
    rejected: { ...rejected },
    ackLatency: [...ackLatency],
    swaps: { filled, missed, tampered },
    orders: { considered, won },
    volume: {
      microDollars: String(volume.microDollars),
      mints: [...volume.mints].map(([mint, { paid, received }]) => ({
        mint,
        paid: String(paid),
        received: String(received),
      })),
    },
  };
}
