import { Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { DAY_MS } from '../../../platform/traffic/log/log-tables.ts';
import {
  DEFAULT_RANGE_DAYS,
  capRangeByRegistration,
  MAX_STATISTICS_DAYS,
} from '../../../products/makers/maker-range.ts';
import {
  MakerStatisticsAnswer,
  toMakerStatisticsJson,
} from '../../../products/makers/maker-statistics-json.ts';
import { readMakerStatistics } from '../../../swaps/ledger/maker-statistics.ts';
import type { OrderLedger } from '../../../swaps/ledger/order-ledger.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { Time } from '../platform/platform-schema.ts';
import { resolveTimeRange } from '../traffic/time-range.ts';
import type { MakerControls } from './maker-endpoints.ts';
import { MakerParams } from './maker-schema.ts';

interface MakerStatisticsServices extends Pick<MakerControls, 'makers' | 'platform'> {
  readonly ledger: OrderLedger;
}

/** What the ledger of orders says of a maker. */
export const MAKER_STATISTICS_ENDPOINT = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/makers/:maker/statistics',
  summary: 'Wins, losses, last look and volume of a maker in a range of time',
  params: MakerParams,
  query: Type.Object(
    {
      since: Type.Optional(
        Type.Integer({
          ...Time,
          description: `Unix milliseconds; ${DEFAULT_RANGE_DAYS} days ago when absent.`,
        }),
      ),
      until: Type.Optional(
        Type.Integer({
          ...Time,
          description: `Unix milliseconds, at most ${MAX_STATISTICS_DAYS} days after \`since\`; now when absent.`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: { 200: MakerStatisticsAnswer },
  handle: async ({ makers, platform, ledger }: MakerStatisticsServices, { params: { maker }, query }) => {
    const known = makers.get(maker);
    if (known === null) throw new RequestInvalid(`there is no maker ${formatForError(maker)}`, 404);
    // The range includes what is given out in this millisecond.
    const asked = resolveTimeRange(query, platform.now() + 1, DEFAULT_RANGE_DAYS);
    if (asked.until - asked.since > MAX_STATISTICS_DAYS * DAY_MS)
      throw new RequestInvalid(`since and until must be at most ${MAX_STATISTICS_DAYS} days apart`);
    const range = capRangeByRegistration(asked, known.record.createdAt);
    return toMakerStatisticsJson(maker, range, await readMakerStatistics(ledger, maker, range));
  },
});
