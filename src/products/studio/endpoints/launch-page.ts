import { Type } from 'typebox';
import { StudioRefused } from '../../../studio/studio-refused.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import { EXAMPLE_LAUNCH } from './example-launch.ts';
import type { StudioServices } from './services.ts';
import { readStudioAddress } from './studio-address.ts';
import { addStudioErrors, answerStudioRefusals, STUDIO_ERROR_FORM } from './studio-errors.ts';

const PageJson = named(
  'LaunchPage',
  Type.Object({
    mint: Type.String(),
    configKey: Type.String({ description: 'The configuration of the curve.' }),
    owner: Type.String({ description: 'The creator.' }),
    content: Type.Union([Type.String(), Type.Null()], {
      description: 'The text of the page, as the creator has sent it: show it as text.',
    }),
    headerImage: Type.Union([Type.String(), Type.Null()], {
      description: 'The URL of the header image.',
    }),
  }),
);

export const launchPageEndpoint = defineEndpoint({
  method: 'GET',
  path: '/studio/v1/dbc-pool/page/:mint',
  operationId: 'GetLaunchPage',
  example: { params: { mint: EXAMPLE_LAUNCH.mint } },
  summary: 'The page of a launched token',
  description:
    'Returns what the creator of a token has submitted with its launch, beside what is on the chain.',
  params: Type.Object({ mint: Type.String({ description: 'The token.' }) }),
  responses: addStudioErrors(PageJson, 404),
  ...STUDIO_ERROR_FORM,
  handle: ({ submitting, media }: StudioServices, { params }) =>
    answerStudioRefusals(async () => {
      const found = await submitting.launches.find(readStudioAddress(params.mint, 'mint'));
      if (found === null || found.landedAt === null) throw new StudioRefused('not found', 'Token not found');
      const { mint, config, owner, content, headerType } = found;
      const headerImage = headerType === null ? null : media.links.getUrl({ kind: 'header', mint });
      return { mint, configKey: config, owner, content, headerImage };
    }),
});
