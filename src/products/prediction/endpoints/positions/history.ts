import { Type } from 'typebox';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { named } from '../../../named-schema.ts';
import { address, integer } from '../../../parameters/kinds.ts';
import { defineQuery, optional } from '../../../parameters/parameter.ts';
import { LazyList, writeJsonInTurns } from '../../../json-in-turns.ts';
import { PaginationJson } from '../json/amount-forms.ts';
import { PredictionHistoryJson, toHistoryJson } from '../json/history-json.ts';
import { createSubjectFinder, toUnknownSubject } from '../json/market-metadata.ts';
import { PAGE_PARAMETERS, refuseParameter, toPagination, toRange } from '../event-parameters.ts';
import { OWNER_PARAMETERS, readOwner } from '../owner-parameters.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';

const HistoryJson = named(
  'PredictionHistory',
  Type.Object({ data: Type.Array(PredictionHistoryJson), pagination: PaginationJson }),
);

const QUERY = defineQuery(
  {
    ...OWNER_PARAMETERS,
    id: optional(integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'One event.', 16)),
    positionPubkey: optional(address('Events of this position.')),
    ...PAGE_PARAMETERS,
  },
  refuseParameter,
);

/** `GET /history`: what orders and positions went through. */
export const listHistory = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/history',
  operationId: 'ListPredictionHistory',
  summary: 'History',
  description:
    'Lists the events of orders and positions, the newest first. A fill has what was paid, with fees; a win is `payout_claimed`.',
  example: { query: { ownerPubkey: EXAMPLE_WALLET } },
  query: QUERY.schema,
  answer: HistoryJson,
  handle: async ({ history, events, crafting }, { query, work }) => {
    const read = QUERY.reader(query);
    const [owner, position, id] = [readOwner(read), read('positionPubkey'), read('id')];
    const range = toRange(read('start'), read('end'));
    const { start, end } = range;
    const found = await history.listHistory({ owner, position, id, start, end });
    const find = createSubjectFinder(events, Number(crafting.chain.clock().unixTimestamp));
    const data = new LazyList(found.events, (event) =>
      toHistoryJson(event, find(event.marketIdHash) ?? toUnknownSubject(event.marketIdHash)),
    );
    return writeJsonInTurns({ data, pagination: toPagination(range, found.total) }, work);
  },
});
