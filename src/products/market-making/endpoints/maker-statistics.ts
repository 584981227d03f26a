import { Type } from 'typebox';
import { readMakerStatistics } from '../../../swaps/ledger/maker-statistics.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { DEFAULT_RANGE_DAYS, MAX_STATISTICS_DAYS } from '../../makers/maker-range.ts';
import { MakerStatisticsAnswer, toMakerStatisticsJson } from '../../makers/maker-statistics-json.ts';
import { findCallingMaker, MakerRefusal, type MakerServices, RANGE, resolveMakerRange } from './maker-key.ts';

export const makerStatistics = defineEndpoint({
  method: 'GET',
  path: '/market-making/v1/statistics',
  operationId: 'GetMakerStatistics',
  summary: 'Wins, losses, last look and volume of a maker',
  description: `What the maker of the key did, by default in the last ${DEFAULT_RANGE_DAYS} days, and at most in ${MAX_STATISTICS_DAYS}. It says nothing of other makers but how many orders were lost to any of them.`,
  credits: 0,
  query: Type.Object(RANGE),
  responses: { 200: MakerStatisticsAnswer, 400: MakerRefusal, 401: MakerRefusal, 403: MakerRefusal },
  handle: async (services: MakerServices, { query, headers }) => {
    const maker = findCallingMaker(services, headers);
    if (maker instanceof OtherAnswer) return maker;
    const range = resolveMakerRange(query, services.now(), MAX_STATISTICS_DAYS, maker);
    if (range instanceof OtherAnswer) return range;
    return toMakerStatisticsJson(
      maker.id,
      range,
      await readMakerStatistics(services.ledger, maker.id, range),
    );
  },
});
