import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import type { GameState, PredictionScore } from '../prediction.ts';
import { predictionScores } from './event-tables.ts';

/** Reads the scores of events of a network; events without one are absent. */
export async function readScores(
  db: Database,
  network: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, PredictionScore>> {
  const scores = new Map<string, PredictionScore>();
  for (const some of splitRows(eventIds)) {
    const rows = await db
      .select()
      .from(predictionScores)
      .where(and(eq(predictionScores.network, network), inArray(predictionScores.eventId, some)));
    for (const { network: _network, eventId, state, ...facts } of rows) {
      scores.set(eventId, { ...facts, state: state as GameState });
    }
  }
  return scores;
}

/** Writes the score of an event in place of the one before. */
export async function writeScore(
  db: Database,
  { network, eventId }: { readonly network: string; readonly eventId: string },
  score: PredictionScore,
): Promise<void> {
  await db
    .insert(predictionScores)
    .values({ ...score, network, eventId })
    .onConflictDoUpdate({ target: [predictionScores.network, predictionScores.eventId], set: score });
}
