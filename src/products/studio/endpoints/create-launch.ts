import { Type } from 'typebox';
import { craftLaunch } from '../../../studio/creating/craft-launch.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EXAMPLE_MINTS, EXAMPLE_WALLET } from '../../example-values.ts';
import { named } from '../../named-schema.ts';
import { CreateLaunchBody, readLaunchRequest } from './create-launch-body.ts';
import type { StudioServices } from './services.ts';
import { addStudioErrors, answerStudioRefusals, STUDIO_ERROR_FORM } from './studio-errors.ts';

const CreatedLaunchJson = named(
  'CreatedLaunch',
  Type.Object({
    transaction: Type.String({
      description:
        'The transaction, base64. It lacks only the signature of the creator, who signs it as it is.',
    }),
    mint: Type.String({ description: 'The token. It is another one for each request.' }),
    imagePresignedUrl: Type.String({
      format: 'uri',
      description: 'Takes the image by PUT, with `tokenImageContentType` as its type, for 15 minutes.',
    }),
    metadataPresignedUrl: Type.String({
      format: 'uri',
      description: 'Takes the metadata by PUT, with the type `application/json`, for 15 minutes.',
    }),
    imageUrl: Type.String({
      format: 'uri',
      description: 'Where the image is served once it is uploaded: the field `image` of the metadata.',
    }),
  }),
);

export const createLaunchEndpoint = defineEndpoint({
  method: 'POST',
  path: '/studio/v1/dbc-pool/create-tx',
  operationId: 'CreateLaunch',
  example: {
    body: {
      buildCurveByMarketCapParam: {
        quoteMint: EXAMPLE_MINTS.usdc,
        initialMarketCap: 16_000,
        migrationMarketCap: 69_000,
        tokenQuoteDecimal: 6,
        lockedVestingParam: {
          totalLockedVestingAmount: 0,
          cliffUnlockAmount: 0,
          numberOfVestingPeriod: 0,
          totalVestingDuration: 0,
          cliffDurationFromMigrationTime: 0,
        },
      },
      antiSniping: false,
      fee: { feeBps: 100 },
      isLpLocked: true,
      tokenName: 'Example',
      tokenSymbol: 'EXAMPLE',
      tokenImageContentType: 'image/png',
      creator: EXAMPLE_WALLET,
    },
  },
  summary: 'Prepare the launch of a token',
  description:
    'Makes the transaction that launches a token on a bonding curve, and the URLs that take its image and its metadata. Upload both, ' +
    'let the creator sign the transaction, and hand it in with submit. Nothing is stored until then.',
  body: CreateLaunchBody,
  responses: addStudioErrors(CreatedLaunchJson),
  ...STUDIO_ERROR_FORM,
  handle: ({ creating }: StudioServices, { body, caller }) =>
    answerStudioRefusals(async () => {
      const { wire, mint, links } = craftLaunch(creating, readLaunchRequest(body), caller);
      return {
        transaction: Buffer.from(wire).toString('base64'),
        mint,
        imagePresignedUrl: links.imagePresignedUrl,
        metadataPresignedUrl: links.metadataPresignedUrl,
        imageUrl: links.imageUrl,
      };
    }),
});
