import { defineEndpoint } from '../../../endpoint.ts';
import { ProgramLabels } from '../json/schema.ts';
import type { SwapServices } from '../services.ts';

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
