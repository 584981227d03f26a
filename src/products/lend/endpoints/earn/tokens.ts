import { Type } from 'typebox';
import { defineEndpoint } from '../../../endpoint.ts';
import { listEarnTokens } from '../../../../lend/earn/tokens.ts';
import type { LendServices } from '../services.ts';
import { toEarnTokenJson } from './token-json.ts';
import { EarnTokenJson } from './token-schema.ts';

export const earnTokens = defineEndpoint({
  method: 'GET',
  path: '/lend/v1/earn/tokens',
  operationId: 'GetEarnTokens',
  summary: 'Earn tokens',
  description:
    'All tokens that can be deposited, each with its receipt token, rates, limits and exchange rate of now.',
  responses: { 200: Type.Array(EarnTokenJson) },
  handle: ({ earn }: LendServices) => listEarnTokens(earn).map(toEarnTokenJson),
});
