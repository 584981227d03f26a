import { type Static, Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { writeJsonInTurns } from '../../json-in-turns.ts';
import { listText } from '../../parameters/parameter-schema.ts';
import { defineQuery } from '../../parameters/parameter.ts';
import { addresses } from './ultra-kinds.ts';
import { MAX_MINTS, findShieldWarnings } from '../shield/shield.ts';
import { UltraError } from './schema.ts';
import type { UltraServices } from './services.ts';

const WarningJson = named(
  'ShieldWarning',
  Type.Object({
    type: Type.String({ description: 'One of the words in docs/ultra.md.' }),
    message: Type.String(),
    severity: Type.Enum(['info', 'warning', 'critical']),
    source: Type.Optional(
      Type.Enum(['RugCheck'], {
        description: 'Whose finding it is. Absent: all findings are from the chain and from this service.',
      }),
    ),
  }),
);
type WarningJson = Static<typeof WarningJson>;

const QUERY = defineQuery({ mints: addresses(listText(`Up to ${MAX_MINTS} mints.`), MAX_MINTS) });

export const shield = defineEndpoint({
  method: 'GET',
  path: '/ultra/v1/shield',
  aliases: ['/_datapi/v1/shield'],
  operationId: 'GetShield',
  example: { query: { mints: EXAMPLE_MINTS.jup } },
  summary: 'Warnings about tokens',
  description:
    'What a holder of a token can lose by: powers of its authorities, extensions of Token-2022, few owners, little ' +
    'liquidity, and that it is not verified. Each mint has an entry; the most severe warnings come first.',
  query: QUERY.schema,
  responses: {
    200: Type.Object({ warnings: Type.Record(Type.String(), Type.Array(WarningJson)) }),
    400: UltraError,
  },
  handle: async (services: UltraServices, { query, work }) => {
    const found = await findShieldWarnings(services.shield, QUERY.reader(query)('mints'), work);
    const warnings: Record<string, WarningJson[]> = {};
    for (const [mint, list] of found) warnings[mint] = [...list];
    return writeJsonInTurns({ warnings }, work);
  },
});
