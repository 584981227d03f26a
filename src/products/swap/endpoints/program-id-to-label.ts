import { defineEndpoint } from '../../endpoint.ts';
import { ProgramLabels } from './json/schema.ts';
import type { SwapServices } from './services.ts';

export const programIdToLabel = defineEndpoint({
  method: 'GET',
  path: '/swap/v2/program-id-to-label',
  operationId: 'GetProgramIdToLabel',
  summary: 'Venues',
  description: 'The label of each venue by the address of its program.',
  responses: { 200: ProgramLabels },
  handle: ({ swap }: SwapServices) => swap.venueLabels,
});
