import { Type } from 'typebox';
import { readCreatorFees } from '../../../studio/launched/creator-fees.ts';
import { refuseStudioField } from '../../../studio/studio-refused.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import { EXAMPLE_LAUNCH } from './example-launch.ts';
import type { LaunchedServices } from './services.ts';
import { readStudioAddress } from './studio-address.ts';
import { addStudioErrors, answerStudioRefusals, STUDIO_ERROR_FORM } from './studio-errors.ts';

export const POOL_FIELD = Type.String({
  description: 'The bonding curve, `dbcPoolAddress` of the addresses of a launch. It is not the mint.',
});

const FeeBody = named('LaunchFeeRequest', Type.Object({ poolAddress: POOL_FIELD }));

const FeeJson = named(
  'LaunchFees',
  Type.Object({
    unclaimed: Type.String({
      description: 'What the creator can claim now, in base units of the quote token.',
    }),
    total: Type.String({
      description:
        "The creator's share of all fees since the launch, claimed or not: half of what trades have paid. The protocol's part is not counted.",
    }),
  }),
);

export const feeEndpoint = defineEndpoint({
  method: 'POST',
  path: '/studio/v1/dbc/fee',
  operationId: 'GetLaunchFees',
  example: { body: { poolAddress: EXAMPLE_LAUNCH.pool } },
  summary: 'Fees of a creator',
  description:
    'Returns what trades on a bonding curve have earned its creator. Both amounts are as of now. The fees of the pool that the launch ' +
    'graduates to are not among them.',
  body: FeeBody,
  responses: addStudioErrors(FeeJson),
  ...STUDIO_ERROR_FORM,
  handle: ({ launched }: LaunchedServices, { body }) =>
    answerStudioRefusals(async () => {
      const pool = readStudioAddress(body.poolAddress, 'poolAddress');
      const found = await readCreatorFees(launched, pool);
      if (found === null) return refuseStudioField('poolAddress', `there is no bonding curve at ${pool}`);
      return { unclaimed: String(found.unclaimed), total: String(found.total) };
    }),
});
