import { Type } from 'typebox';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { createNullableText } from '../../makers/maker-books-json.ts';
import { makerStanding, toStandingJson } from '../../makers/maker-status-json.ts';
import { named } from '../../named-schema.ts';
import { findCallingMaker, MakerRefusal, type MakerServices, refuseRemovedMaker } from './maker-key.ts';

const MakerStatusAnswer = named(
  'MakerStatus',
  Type.Object({
    maker: Type.String({ description: 'The id of the maker.' }),
    name: createNullableText('What the operator calls it; null: it has no name.'),
    address: Type.String({ description: 'Signs fills and owns the inventory, base58.' }),
    pairs: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Pairs that it may quote, each `BASE/QUOTE` by their mints; null: every pair.',
    }),
    status: Type.Enum(['prod', 'offline', 'suspended']),
    blockedBy: createNullableText('Why it may not quote, even if its swap stream is live; null: it may.'),
    noOrders: createNullableText(
      'Why it gets no orders now, over its streams or by its webhook; null: it can get some.',
    ),
    connected: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether its swap stream is live; null: the instance that knows does not answer.',
    }),
    tampered: Type.Boolean({
      description: 'Whether it returned a modified swap and has not been reinstated since.',
    }),
    lastSequenceNumber: Type.String({
      description: 'The sequence number of the last accepted snapshot, a u64.',
    }),
    ...makerStanding,
  }),
);

export const makerStatus = defineEndpoint({
  method: 'GET',
  path: '/market-making/v1/status',
  operationId: 'GetMakerStatus',
  summary: 'Whether a maker trades, and how far it is from its suspension',
  description:
    'The status of the maker of the key, why it gets no orders, how many missed swaps suspend it, and the last changes of its status.',
  credits: 0,
  responses: { 200: MakerStatusAnswer, 401: MakerRefusal, 403: MakerRefusal },
  handle: async (services: MakerServices, { headers }) => {
    const maker = findCallingMaker(services, headers);
    if (maker instanceof OtherAnswer) return maker;
    const standing = await services.desk.findStanding(maker.id);
    if (standing === null) return refuseRemovedMaker(maker);
    const { connected, maker: known } = standing.view;
    const { record, status, blockedBy, state, lastSequence } = known;
    const { name, address, pairs } = record;
    return {
      maker: maker.id,
      name,
      address,
      pairs: pairs === null ? null : pairs.map(({ base, quote }) => `${base}/${quote}`),
      status,
      blockedBy,
      noOrders: standing.noOrders,
      connected,
      tampered: state.tampered,
      lastSequenceNumber: String(lastSequence),
      ...toStandingJson(standing, services.desk.policy),
    };
  },
});
