import { type Static, Type } from 'typebox';
import type { PredictionEvent } from '../../../../predictions/prediction.ts';
import { named } from '../../../named-schema.ts';
import { toIsoTime } from './amount-forms.ts';

const textField = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description} Null if nobody has said it.` });

/** How the game of an event stands. */
export const PredictionScoreJson = named(
  'PredictionScore',
  Type.Object({
    eventId: Type.String(),
    gameId: Type.String(),
    leagueAbbreviation: textField('The league.'),
    homeTeam: textField('The team that is at home.'),
    awayTeam: textField('The other team.'),
    score: textField('Such as `2-1`.'),
    period: textField('Such as `2H`.'),
    elapsed: textField('How long the period has lasted.'),
    status: textField('In words.'),
    live: Type.Boolean({ description: 'Whether the game is played now.' }),
    ended: Type.Boolean(),
    finishedTimestamp: textField('When it ended, in ISO 8601.'),
    updatedAt: Type.String({ description: 'When the score was posted, in ISO 8601.' }),
  }),
);

/** A score as it is written. */
export type PredictionScoreForm = Static<typeof PredictionScoreJson>;

/** Writes how the game of an event stands; null if nobody has said so. */
export function toScoreJson({
  eventId,
  score,
}: Pick<PredictionEvent, 'eventId' | 'score'>): PredictionScoreForm | null {
  if (score === null) return null;
  const { state, finishedAt, updatedAt } = score;
  return {
    eventId,
    gameId: score.gameId,
    leagueAbbreviation: score.leagueAbbreviation,
    homeTeam: score.homeTeam,
    awayTeam: score.awayTeam,
    score: score.score,
    period: score.period,
    elapsed: score.elapsed,
    status: score.status,
    live: state === 'live',
    ended: state === 'ended',
    finishedTimestamp: finishedAt === null ? null : toIsoTime(finishedAt),
    updatedAt: toIsoTime(updatedAt),
  };
}
