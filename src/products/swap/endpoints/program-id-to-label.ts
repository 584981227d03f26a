import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint.ts';
import type { SwapServices } from '../order/swap-services.ts';

const ProgramLabels = Type.Record(Type.String(), Type.String());

export const programIdToLabel = defineEndpoint({
  method: 'GET',
  path: '/swap/v2/program-id-to-label',
  operationId: 'GetProgramIdToLabel',
  summary: 'Venues',
  description: 'The label of each venue by the address of its program.',
  responses: { 200: ProgramLabels },
  handle: ({ swap }: SwapServices) => swap.venueLabels,
});

export const programIdToLabelV1 = defineEndpoint({
  method: 'GET',
  path: '/swap/v1/program-id-to-label',
  aliases: ['/v6/program-id-to-label'],
  operationId: 'ProgramIdToLabelGet',
  summary: 'Venues (swap v1)',
  description: 'The label of each venue by the address of its program.',
  responses: { 200: ProgramLabels },
  handle: ({ swap }: SwapServices) => swap.venueLabels,
});
