import { Type } from 'typebox';
import { findLaunchAddresses } from '../../../studio/launched/launch-addresses.ts';
import { StudioRefused } from '../../../studio/studio-refused.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import { EXAMPLE_LAUNCH } from './example-launch.ts';
import type { LaunchedServices } from './services.ts';
import { readStudioAddress } from './studio-address.ts';
import { addStudioErrors, answerStudioRefusals, STUDIO_ERROR_FORM } from './studio-errors.ts';

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const ADDRESS_FIELDS = {
  dbcPoolAddress: nullable('The bonding curve.'),
  dammv2PoolAddress: nullable('The pool of DAMM v2 that the launch has migrated to; null before.'),
  configKey: nullable('The configuration of the launch.'),
};

const AddressesJson = named(
  'LaunchAddresses',
  Type.Object({
    success: Type.Boolean(),
    data: Type.Object(ADDRESS_FIELDS),
    ...ADDRESS_FIELDS,
  }),
);

export const addressesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/studio/v1/dbc-pool/addresses/:mint',
  operationId: 'GetLaunchAddresses',
  example: { params: { mint: EXAMPLE_LAUNCH.mint } },
  summary: 'Addresses of a launch',
  description:
    'Returns where a launched token trades: its bonding curve, and after its graduation also its pool of DAMM v2. Any launch on a ' +
    'curve of the program is found. The addresses stand in `data`, and again at the root, where some clients read them.',
  params: Type.Object({ mint: Type.String({ description: 'The launched token.' }) }),
  responses: addStudioErrors(AddressesJson, 404),
  ...STUDIO_ERROR_FORM,
  handle: ({ launched }: LaunchedServices, { params }) =>
    answerStudioRefusals(async () => {
      const found = await findLaunchAddresses(launched, readStudioAddress(params.mint, 'mint'));
      if (found === null) throw new StudioRefused('not found', 'Pool addresses not found');
      const { curve, graduated, config } = found;
      const data = { dbcPoolAddress: curve, dammv2PoolAddress: graduated, configKey: config };
      return { success: true, data, ...data };
    }),
});
