import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { AdminRequestRefused } from '../access/unwrap-result.ts';
import {
  addMaker,
  enableMaker,
  recordReinstatement,
  rotateMakerKey,
} from '../../../rfq/records/maker-registry.ts';
import { makeChangesAs } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import type { Makers } from '../../../rfq/makers/makers.ts';
import type { MakerView, ClusterMakers } from '../../../rfq/cluster/cluster-makers.ts';
import type { Webhooks } from '../../../rfq/index.ts';
import { findUrlProblem } from '../../../rfq/webhooks/outgoing-address.ts';
import type { WebhookView } from '../../../rfq/webhooks/webhooks.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { actorOf } from '../access/access.ts';
import * as shape from './maker-schema.ts';
import { unwrapResult } from '../access/unwrap-result.ts';

/** What the routes of makers work on. */
export interface MakerControls {
  readonly platform: PlatformDependencies;
  readonly makers: Pick<Makers, 'get' | 'reinstate'>;
  /** The makers of all instances. */
  readonly clusterMakers: ClusterMakers;
  /** The makers that are asked by webhook. */
  readonly webhooks: Pick<Webhooks, 'find' | 'note'>;
  /** Whether webhooks may be at private addresses. */
  readonly allowsPrivate: boolean;
  /** Applies changes of the store to this process. */
  readonly refresh: () => Promise<void>;
}

const MAKERS = '/admin/v1/makers';
const MAKER = `${MAKERS}/:maker`;

/** Registers the market makers: who may quote, with which key, and their statistics. */
export function registerMakers(root: FastifyInstance, controls: MakerControls): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const { platform, makers, clusterMakers, webhooks, refresh } = controls;
  const params = shape.MakerParams;
  const response = { 200: shape.MakerLine };
  const showChanged = async (id: string) => {
    await refresh();
    return toMakerLine(await find(clusterMakers, id), webhooks.find(id));
  };
  app.get(
    MAKERS,
    { schema: createMakerRouteSchema('The makers', { response: { 200: shape.MakersAnswer } }) },
    async () => ({
      makers: (await clusterMakers.all()).map((seen) =>
        toMakerLine(seen, webhooks.find(seen.maker.record.id)),
      ),
    }),
  );
  app.post(
    MAKERS,
    {
      schema: createMakerRouteSchema('Create a maker; the answer shows its key once', {
        body: shape.MakerBody,
        response: { 200: shape.NewMakerAnswer },
      }),
    },
    async (request) => {
      const { id, address, pairs = null, webhook = null, webhookKey = null } = request.body;
      const problem = webhook === null ? null : findUrlProblem(webhook, controls.allowsPrivate);
      if (problem !== null) throw new AdminRequestRefused(400, `${problem}, got ${formatForError(webhook)}`);
      if (webhook === null && webhookKey !== null)
        throw new AdminRequestRefused(400, 'webhookKey is the key of a webhook, but webhook is absent');
      const terms = {
        id,
        address,
        pairs,
        webhook: webhook === null ? null : { url: webhook, apiKey: webhookKey },
      };
      const { key } = unwrapResult(
        await addMaker(platform, makeChangesAs(platform, actorOf(request)), terms),
      );
      return { ...(await showChanged(id)), key };
    },
  );
  app.get(
    MAKER,
    {
      schema: createMakerRouteSchema('A maker and its statistics', {
        params,
        response: { 200: shape.MakerAnswer },
      }),
    },
    async ({ params: { maker } }) => toMakerAnswer(await find(clusterMakers, maker), webhooks.find(maker)),
  );
  for (const enabled of [true, false]) {
    const [verb, summary] = enabled
      ? ['enable', 'Let a maker connect again']
      : ['disable', 'Disable a maker: its streams end and its calls are refused'];
    app.post(
      `${MAKER}/${verb}`,
      { schema: createMakerRouteSchema(summary, { params, response }) },
      async (request) => {
        unwrapResult(
          await enableMaker(makeChangesAs(platform, actorOf(request)), request.params.maker, enabled),
        );
        if (enabled) await webhooks.note(request.params.maker, { kind: 'enabled' });
        return showChanged(request.params.maker);
      },
    );
  }
  app.post(
    `${MAKER}/rotate`,
    {
      schema: createMakerRouteSchema('Replace a maker’s key; the previous one is refused from now on', {
        params,
        response: { 200: shape.NewMakerAnswer },
      }),
    },
    async (request) => {
      const { maker } = request.params;
      const { key } = unwrapResult(
        await rotateMakerKey(platform, makeChangesAs(platform, actorOf(request)), maker),
      );
      return { ...(await showChanged(maker)), key };
    },
  );
  app.post(
    `${MAKER}/reinstate`,
    {
      schema: createMakerRouteSchema('Let a maker quote again after it tampered or was suspended', {
        params,
        response,
      }),
    },
    async (request) => {
      const { maker } = request.params;
      unwrapResult(await recordReinstatement(makeChangesAs(platform, actorOf(request)), maker));
      await makers.reinstate(maker);
      await webhooks.note(maker, { kind: 'enabled' });
      return showChanged(maker);
    },
  );
}

function createMakerRouteSchema<S extends object>(summary: string, schema: S) {
  return { tags: ['makers'], summary, ...schema };
}

/** @throws AdminRequestRefused if there is no such maker */
async function find(clusterMakers: ClusterMakers, id: string): Promise<MakerView> {
  const maker = await clusterMakers.get(id);
  if (maker === null) throw new AdminRequestRefused(404, `there is no maker ${formatForError(id)}`);
  return maker;
}

function toMakerLine({ maker, connected, instance }: MakerView, webhook: WebhookView | null) {
  const { record, status, blockedBy, state, lastSequence } = maker;
  const { id, address, pairs, enabled } = record;
  return {
    id,
    address,
    enabled,
    status,
    blockedBy,
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

function toMakerAnswer(seen: MakerView, webhook: WebhookView | null) {
  const { statistics } = seen.maker;
  const { accepted, rejected, ackLatency, filled, missed, tampered } = statistics;
  const { considered, won, volume } = statistics;
  return {
    ...toMakerLine(seen, webhook),
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
