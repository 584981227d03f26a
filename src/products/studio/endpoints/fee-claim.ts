import { Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { minimum, U64_MAX } from '../../../solana/units.ts';
import { craftFeeClaim, type FeeClaim } from '../../../studio/launched/fee-claim.ts';
import { refuseStudioField, StudioRefused } from '../../../studio/studio-refused.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import { EXAMPLE_LAUNCH } from './example-launch.ts';
import { POOL_FIELD } from './fee.ts';
import type { LaunchedServices } from './services.ts';
import { readStudioAddress } from './studio-address.ts';
import { addStudioErrors, answerStudioRefusals, STUDIO_ERROR_FORM } from './studio-errors.ts';

const ClaimBody = named(
  'LaunchFeeClaim',
  Type.Object({
    ownerWallet: Type.String({ description: 'The creator of the launch. It signs and pays.' }),
    poolAddress: POOL_FIELD,
    maxQuoteAmount: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'The most that is claimed, in base units of the quote token. Default: everything.',
      }),
    ),
  }),
);

const ClaimJson = named(
  'LaunchFeeClaimTransaction',
  Type.Object({
    transaction: Type.String({
      description: 'The unsigned transaction, base64. The creator signs it as it is, and lands it.',
    }),
  }),
);

export const feeClaimEndpoint = defineEndpoint({
  method: 'POST',
  path: '/studio/v1/dbc/fee/create-tx',
  operationId: 'CreateFeeClaim',
  example: {
    body: {
      ownerWallet: EXAMPLE_LAUNCH.creator,
      poolAddress: EXAMPLE_LAUNCH.pool,
      maxQuoteAmount: 1_000_000,
    },
  },
  summary: 'Claim the fees of a creator',
  description:
    'Makes the transaction that pays the creator of a launch its fees, up to `maxQuoteAmount`. It takes what is there when it lands. ' +
    'Fees in SOL arrive as SOL, unless the wallet has an account of wrapped SOL: then they arrive there.',
  exactIntegers: true,
  body: ClaimBody,
  responses: addStudioErrors(ClaimJson, 403, 404),
  ...STUDIO_ERROR_FORM,
  handle: ({ launched }: LaunchedServices, { body }) =>
    answerStudioRefusals(async () => {
      const claim = await craftFeeClaim(launched, {
        owner: readStudioAddress(body.ownerWallet, 'ownerWallet'),
        pool: readStudioAddress(body.poolAddress, 'poolAddress'),
        maxQuoteAmount: readLimit(body.maxQuoteAmount),
      });
      return { transaction: Buffer.from(requireClaim(claim)).toString('base64') };
    }),
});

/** Returns null for everything. Clients also name an amount beyond all supplies for that, or null. */
function readLimit(given: number | bigint | null | undefined): bigint | null {
  if (given == null) return null;
  if (typeof given === 'number' && !Number.isInteger(given)) {
    const message = `maxQuoteAmount must be a whole number of base units, got ${formatForError(given)}`;
    return refuseStudioField('maxQuoteAmount', message);
  }
  return minimum(BigInt(given), U64_MAX);
}

/** @throws StudioRefused in the words of the public service, if the claim cannot be made */
function requireClaim(claim: FeeClaim): Uint8Array {
  switch (claim.kind) {
    case 'crafted':
      return claim.wire;
    case 'unknown-pool':
      throw new StudioRefused('not found', 'Proxy account not found for the creator');
    case 'other-creator':
      throw new StudioRefused('not the owner', 'You are not the owner of this pool');
    case 'refused':
      return refuseStudioField('ownerWallet', claim.reason);
  }
}
