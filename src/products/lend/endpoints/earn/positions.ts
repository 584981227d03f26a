import { Type } from 'typebox';
import { mapInTurns } from '../../../../common/work/work.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { defineEndpoint } from '../../../endpoint.ts';
import { defineQuery } from '../../../parameters/parameter.ts';
import { findEarnPositions } from '../../../../lend/earn/positions.ts';
import type { ListedEarnToken } from '../../../../lend/earn/tokens.ts';
import { writeJsonInTurns } from '../../../json-in-turns.ts';
import { addresses } from '../lend-kinds.ts';
import { LendError } from '../schema.ts';
import type { LendServices } from '../services.ts';
import { toEarnPositionJson, toEarnTokenJson } from './token-json.ts';
import { EarnPositionJson, type EarnTokenJson } from './token-schema.ts';

const USERS = { minimum: 1, maximum: 50 };
const QUERY = defineQuery({
  users: addresses(
    USERS,
    `Wallets, separated by commas; from ${USERS.minimum} to ${USERS.maximum}. A wallet that is named twice is listed once.`,
  ),
});

export const earnPositions = defineEndpoint({
  method: 'GET',
  path: '/lend/v1/earn/positions',
  operationId: 'GetEarnPositions',
  example: { query: { users: EXAMPLE_WALLET } },
  summary: 'Positions in earn tokens',
  description:
    'One entry for each earn token and each wallet, also where the wallet holds nothing. The balance of SOL is that of wrapped SOL.',
  query: QUERY.schema,
  responses: { 200: Type.Array(EarnPositionJson), 400: LendError },
  handle: async ({ earn }: LendServices, { query, work }) => {
    const positions = await findEarnPositions(earn, QUERY.reader(query)('users'), work);
    const tokens = new Map<ListedEarnToken, EarnTokenJson>();
    const answer = await mapInTurns(work, positions, (position) => {
      const token = tokens.get(position.listed) ?? toEarnTokenJson(position.listed);
      tokens.set(position.listed, token);
      return toEarnPositionJson(position, token);
    });
    return writeJsonInTurns(answer, work, tokens.values());
  },
});
