import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import {
  PredictionEventAnswer,
  PredictionEventsAnswer,
} from '../../../gateway/admin/predictions/prediction-schema.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer, formatTimeOrNever } from '../../admin-client/platform-answers.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { EVENT_FLAGS, readEventBody } from './event-flags.ts';
import { SCORE_COMMAND } from './score-command.ts';

const settings = ADMIN_SETTINGS;
const COLUMNS = ['event', 'market', 'question', 'status', 'closes', 'house'];

export const PREDICTION_COMMANDS: readonly Command[] = [
  {
    name: 'prediction event list',
    summary: 'List the events of prediction markets, with their markets.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: 'prediction-events' });
      write(renderEvents(checkAnswer(PredictionEventsAnswer, answer).events));
      return 0;
    },
  },
  {
    name: 'prediction event create',
    summary: 'Create an event, whose markets are traded at once. A file describes one with several markets.',
    words: [],
    settings,
    flags: EVENT_FLAGS,
    run: async ({ config, flags, cwd, write }) => {
      const body = await readEventBody(flags, cwd);
      const answer = await callAdmin(config, { method: 'POST', path: 'prediction-events', body });
      write(renderEvents([checkAnswer(PredictionEventAnswer, answer)]));
      return 0;
    },
  },
  {
    name: 'prediction event resolve',
    summary: 'Say which side of a market has won: trading ends, and the winners are paid.',
    words: ['market-id', 'yes|no'],
    settings,
    run: async ({ config, words: [market = '', result = ''], write }) => {
      if (result !== 'yes' && result !== 'no')
        throw new UsageError(`the result is ${formatForError(result)}, but must be yes or no`);
      const path = `prediction-markets/${encodeURIComponent(market)}/resolve`;
      const answer = await callAdmin(config, { method: 'POST', path, body: { result } });
      write(renderEvents([checkAnswer(PredictionEventAnswer, answer)]));
      return 0;
    },
  },
  {
    name: 'prediction event cancel',
    summary: 'Cancel the open markets of an event: every stake is refunded.',
    words: ['event-id'],
    settings,
    flags: [
      {
        name: 'market',
        allowed: "a market's id",
        description: 'Only this market of the event. Default: all that are open.',
      },
    ],
    run: async ({ config, words: [event = ''], flags, write }) => {
      const market = flags.get('market');
      const path =
        market === undefined
          ? `prediction-events/${encodeURIComponent(event)}/cancel`
          : `prediction-events/${encodeURIComponent(event)}/markets/${encodeURIComponent(market)}/cancel`;
      write(
        renderEvents([checkAnswer(PredictionEventAnswer, await callAdmin(config, { method: 'POST', path }))]),
      );
      return 0;
    },
  },
  SCORE_COMMAND,
];

function renderEvents(events: readonly Static<typeof PredictionEventAnswer>[]): string {
  const rows = events.flatMap(({ eventId, title, markets }) =>
    markets.map((market) => [
      eventId,
      market.marketId,
      market.title === title ? title : `${title}: ${market.title}`,
      market.result === null ? market.status : `${market.status}: ${market.result}`,
      formatTimeOrNever(market.closeAt * 1_000),
      `${market.house.contractsPerCent} at each cent from ${market.house.startCents}`,
    ]),
  );
  return renderTable([COLUMNS, ...rows]);
}
