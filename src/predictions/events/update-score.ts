import type { PredictionScore } from '../prediction.ts';

/** What is said of a game. Absent stays as it was; null was said before and is not any more. */
export type PostedScore = Partial<Omit<PredictionScore, 'finishedAt' | 'updatedAt' | 'version'>>;

/**
 * Returns the score after something was said of it. A game is live until it is said to be something else, and named as its event
 * until it gets another id.
 *
 * @param at - The Unix second of the network.
 */
export function updateScore(
  before: PredictionScore | null,
  posted: PostedScore,
  { eventId, at }: { readonly eventId: string; readonly at: number },
): Omit<PredictionScore, 'version'> {
  const known = before ?? { ...NOTHING_SAID, gameId: eventId };
  const { gameId = known.gameId, state = known.state } = posted;
  const take = (name: ScoreText) => {
    const text = posted[name];
    return text === undefined ? known[name] : text;
  };
  return {
    gameId,
    leagueAbbreviation: take('leagueAbbreviation'),
    homeTeam: take('homeTeam'),
    awayTeam: take('awayTeam'),
    score: take('score'),
    period: take('period'),
    elapsed: take('elapsed'),
    status: take('status'),
    state,
    finishedAt: state === 'ended' ? (known.finishedAt ?? at) : null,
    updatedAt: at,
  };
}

type ScoreText = 'leagueAbbreviation' | 'homeTeam' | 'awayTeam' | 'score' | 'period' | 'elapsed' | 'status';

const NOTHING_SAID = {
  leagueAbbreviation: null,
  homeTeam: null,
  awayTeam: null,
  score: null,
  period: null,
  elapsed: null,
  status: null,
  state: 'live',
  finishedAt: null,
} as const satisfies Omit<PredictionScore, 'gameId' | 'updatedAt' | 'version'>;
