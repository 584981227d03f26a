import { Type } from 'typebox';
import { readMakerStatistics } from '../../../swaps/ledger/maker-statistics.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { MakerStatisticsAnswer, toMakerStatisticsJson } from '../../makers/maker-statistics-json.ts';
import { findCallingMaker, MakerRefusal, type MakerServices, RANGE, resolveMakerRange } from './maker-key.ts';

/** One question reads all rows of the range, so it is bounded. */
const MAX_DAYS = 31;

export const makerStatistics = defineEndpoint({
  method: 'GET',
  path: '/market-making/v1/statistics',
  operationId: 'GetMakerStatistics',
  summary: 'Wins, losses, last look and volume of a maker',
  description: `What the maker of the key did, by default in the last 7 days, and at most in ${MAX_DAYS}. It says nothing of other makers but how many orders were lost to any of them.`,
  credits: 0,
  query: Type.Object(RANGE),
  responses: { 200: MakerStatisticsAnswer, 400: MakerRefusal, 401: MakerRefusal, 403: MakerRefusal },
  handle: async (services: MakerServices, { query, headers }) => {
    const maker = findCallingMaker(services, headers);
    if (maker instanceof OtherAnswer) return maker;
    const range = resolveMakerRange(query, services.now(), MAX_DAYS, maker);
    if (range instanceof OtherAnswer) return range;
    return toMakerStatisticsJson(
      maker.id,
      range,
      await readMakerStatistics(services.ledger, maker.id, range),
    );
  },
});
