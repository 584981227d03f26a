import { Type } from 'typebox';
import { formatForError } from '../../../../common/format-for-error.ts';
import { refuseUnknown } from '../../../../predictions/prediction-refused.ts';
import { named } from '../../../named-schema.ts';
import { list } from '../../../parameters/kinds.ts';
import { defineQuery } from '../../../parameters/parameter.ts';
import { refuseParameter } from '../event-parameters.ts';
import { PredictionScoreJson, toScoreJson } from '../json/score-json.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';

/** The event of the demo that has a score. */
const EXAMPLE_EVENT = 'DEMO-1013';
/** How many events one request may name. */
const MAX_EVENTS = 100;

const PARAMS = Type.Object({ eventId: Type.String({ description: 'The id of the event.' }) });

/** `GET /events/:eventId/score`: how the game of an event stands. */
export const getScore = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/events/:eventId/score',
  operationId: 'GetPredictionScore',
  summary: 'Score of an event',
  description: 'Returns how the game of an event stands; null if nobody has said so.',
  example: { params: { eventId: EXAMPLE_EVENT } },
  params: PARAMS,
  answer: Type.Union([PredictionScoreJson, Type.Null()]),
  handle: ({ events }, { params: { eventId } }) => {
    const event = events.findEvent(eventId);
    if (event !== null) return toScoreJson(event);
    return refuseUnknown('event_not_found', `there is no event ${formatForError(eventId)}`, 'eventId');
  },
});

const QUERY = defineQuery(
  { eventIds: list(`The ids of up to ${MAX_EVENTS} events, with commas between.`) },
  refuseParameter,
);

/** `GET /events/scores`: how the games of several events stand. */
export const listScores = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/events/scores',
  operationId: 'ListPredictionScores',
  summary: 'Scores of several events',
  description:
    'Lists how the games of events stand, each once. Events that are not known, or of whose games nobody has said anything, are left out.',
  example: { query: { eventIds: EXAMPLE_EVENT } },
  query: QUERY.schema,
  answer: named('PredictionScores', Type.Object({ data: Type.Array(PredictionScoreJson) })),
  handle: ({ events }, { query }) => {
    const ids = [...new Set(QUERY.reader(query)('eventIds'))];
    if (ids.length > MAX_EVENTS) {
      return refuseParameter(`eventIds has ${ids.length} ids, but at most ${MAX_EVENTS} can be asked for`);
    }
    return {
      data: ids.flatMap((eventId) => {
        const event = events.findEvent(eventId);
        return event === null ? [] : (toScoreJson(event) ?? []);
      }),
    };
  },
});
