import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint.ts';
import { PLATFORMS } from '../../../protocols/fetchers.ts';
import type { PortfolioServices } from './services.ts';

const PlatformsResponse = Type.Array(
  Type.Object({
    id: Type.String({ description: 'What the parameter `platforms` of the positions takes.' }),
    name: Type.String(),
    image: Type.String({ description: 'A URL.' }),
    description: Type.String(),
    defiLlamaId: Type.Optional(Type.String()),
    isDeprecated: Type.Boolean(),
    tokens: Type.Optional(Type.Array(Type.String(), { description: 'Mints that the platform issues.' })),
    tags: Type.Array(Type.String()),
    links: Type.Object({
      website: Type.String(),
      documentation: Type.Optional(Type.String()),
      github: Type.Optional(Type.String()),
      twitter: Type.Optional(Type.String()),
      discord: Type.Optional(Type.String()),
      telegram: Type.Optional(Type.String()),
      medium: Type.Optional(Type.String()),
    }),
  }),
);

export const platforms = defineEndpoint({
  method: 'GET',
  path: '/portfolio/v1/platforms',
  operationId: 'GetPlatforms',
  summary: 'Platforms',
  description: 'The platforms whose positions are read, with the ids by which they can be asked for.',
  credits: 5,
  responses: { 200: PlatformsResponse },
  handle: (_: PortfolioServices) =>
    PLATFORMS.map((platform) => ({ ...platform, tags: [...platform.tags] })) as never,
});
