import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { AdminRefused } from './granted.ts';
import { addMaker, enableMaker, recordReinstatement, rotateMakerKey } from '../../platform/makers/makers.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import type { Makers } from '../../rfq/makers/makers.ts';
import type { MakerSeen, ClusterMakers } from '../../rfq/cluster/cluster-makers.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { actorOf } from './access.ts';
import * as shape from './maker-schema.ts';
import { granted } from './granted.ts';

export interface MakerControls {
  readonly platform: PlatformDependencies;
  readonly makers: Pick<Makers, 'get' | 'reinstate'>;
  readonly everywhere: ClusterMakers;
  /** Makes this process act by what was changed in the store. */
  readonly refresh: () => Promise<void>;
}

const MAKERS = '/admin/v1/makers';
const MAKER = `${MAKERS}/:maker`;

/** Market makers: who may quote, with which key, and how they do. */
export function registerMakers(root: FastifyInstance, controls: MakerControls): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const { platform, makers, everywhere, refresh } = controls;
  const params = shape.MakerParams;
  const response = { 200: shape.MakerLine };
  const changed = async (id: string) => {
    await refresh();
    return lineOf(await find(everywhere, id));
  };
  app.get(
    MAKERS,
    { schema: routeSchema('The makers', { response: { 200: shape.MakersAnswer } }) },
    async () => ({ makers: (await everywhere.all()).map(lineOf) }),
  );
  app.post(
    MAKERS,
    {
      schema: routeSchema('Issue a maker; the answer shows its key this once', {
        body: shape.MakerBody,
        response: { 200: shape.NewMakerAnswer },
      }),
    },
    async (request) => {
      const { id, address, pairs = null } = request.body;
      const { key } = granted(await addMaker(platform, actorOf(request), { id, address, pairs }));
      return { ...(await changed(id)), key };
    },
  );
  app.get(
    MAKER,
    { schema: routeSchema('A maker and what it did', { params, response: { 200: shape.MakerAnswer } }) },
    async (request) => answerOf(await find(everywhere, request.params.maker)),
  );
  for (const enabled of [true, false]) {
    const [verb, summary] = enabled
      ? ['enable', 'Let a maker connect again']
      : ['disable', 'End the streams of a maker and refuse its calls'];
    app.post(`${MAKER}/${verb}`, { schema: routeSchema(summary, { params, response }) }, async (request) => {
      granted(await enableMaker(platform, actorOf(request), request.params.maker, enabled));
      return changed(request.params.maker);
    });
  }
  app.post(
    `${MAKER}/rotate`,
    {
      schema: routeSchema('Give a maker another key; the one before is refused from now on', {
        params,
        response: { 200: shape.NewMakerAnswer },
      }),
    },
    async (request) => {
      const { maker } = request.params;
      const { key } = granted(await rotateMakerKey(platform, actorOf(request), maker));
      return { ...(await changed(maker)), key };
    },
  );
  app.post(
    `${MAKER}/reinstate`,
    { schema: routeSchema('Let a maker quote again that tampered or is suspended', { params, response }) },
    async (request) => {
      const { maker } = request.params;
      granted(await recordReinstatement(platform, actorOf(request), maker));
      await makers.reinstate(maker);
      return changed(maker);
    },
  );
}

function routeSchema<S extends object>(summary: string, schema: S) {
  return { tags: ['makers'], summary, ...schema };
}

/** @throws AdminRefused when there is none */
async function find(everywhere: ClusterMakers, id: string): Promise<MakerSeen> {
  const maker = await everywhere.get(id);
  if (maker === null) throw new AdminRefused(404, `there is no maker ${formatForError(id)}`);
  return maker;
}

function lineOf({ maker, connected, instance }: MakerSeen) {
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
  };
}

function answerOf(seen: MakerSeen) {
  const { statistics } = seen.maker;
  const { accepted, rejected, ackLatency, filled, missed, tampered } = statistics;
  const { considered, won, volume } = statistics;
  return {
    ...lineOf(seen),
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
