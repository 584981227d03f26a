import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import { PredictionScoreAnswer } from '../../../gateway/admin/predictions/prediction-schema.ts';
import { GAME_STATES } from '../../../predictions/prediction.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer, formatTimeOrNever, parseChoiceFlag } from '../../admin-client/platform-answers.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

const COLUMNS = ['event', 'home', 'away', 'score', 'state', 'posted'];
/** The text that removes another one. The command line takes no empty text. */
const NONE = '-';
const TEXT = `a text, or ${NONE} to remove it`;

/** The flags with the fields of the request that they fill. */
const TEXT_FLAGS: readonly (CommandFlag & { readonly field: string })[] = [
  { name: 'score', field: 'score', allowed: TEXT, description: 'The score, such as 2-1.' },
  { name: 'home', field: 'homeTeam', allowed: TEXT, description: 'The team that is at home.' },
  { name: 'away', field: 'awayTeam', allowed: TEXT, description: 'The other team.' },
  { name: 'league', field: 'leagueAbbreviation', allowed: TEXT, description: 'The league.' },
  { name: 'period', field: 'period', allowed: TEXT, description: 'The period, such as 2H.' },
  {
    name: 'elapsed',
    field: 'elapsed',
    allowed: TEXT,
    description: 'How long the period has lasted, such as 63:10.',
  },
  { name: 'status', field: 'status', allowed: TEXT, description: 'The status in words, such as halftime.' },
];

/** `sluice prediction score`: says how the game of an event stands. */
export const SCORE_COMMAND: Command = {
  name: 'prediction score',
  summary: 'Say how the game of an event stands. What no flag names stays as it was.',
  words: ['event-id'],
  settings: ADMIN_SETTINGS,
  flags: [
    ...TEXT_FLAGS.map(({ name, allowed, description }) => ({ name, allowed, description })),
    {
      name: 'state',
      allowed: GAME_STATES.join('|'),
      description: 'Whether the game has begun and ended. Default: as before, at first live.',
    },
    { name: 'game', allowed: 'a text', description: 'The id of the game. Default: the id of the event.' },
  ],
  run: async ({ config, words: [event = ''], flags, write }) => {
    const body = toScoreBody(flags);
    const path = `prediction-events/${encodeURIComponent(event)}/score`;
    const answer = await callAdmin(config, { method: 'POST', path, body });
    write(renderScore(checkAnswer(PredictionScoreAnswer, answer)));
    return 0;
  },
};

/** @throws UsageError when no flag says anything, or the state is none */
function toScoreBody(flags: ReadonlyMap<string, string>): object {
  const [state, game] = [flags.get('state'), flags.get('game')];
  const texts = TEXT_FLAGS.flatMap(({ name, field }) => {
    const text = flags.get(name);
    return text === undefined ? [] : [[field, text === NONE ? null : text] as const];
  });
  const body = {
    ...Object.fromEntries(texts),
    ...(game === undefined ? {} : { gameId: game }),
    ...(state === undefined ? {} : { state: parseChoiceFlag('state', state, GAME_STATES) }),
  };
  if (Object.keys(body).length > 0) return body;
  throw new UsageError('nothing is said of the game: give --score, --state or another flag');
}

function renderScore(score: Static<typeof PredictionScoreAnswer>): string {
  const { eventId, homeTeam, awayTeam, state, updatedAt } = score;
  const posted = formatTimeOrNever(updatedAt * 1_000);
  return renderTable([
    COLUMNS,
    [eventId, homeTeam ?? '-', awayTeam ?? '-', score.score ?? '-', state, posted],
  ]);
}
