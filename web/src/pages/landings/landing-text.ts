/** The outcomes by which landings are listed, with what they mean. */
export const OUTCOMES = [
  ['confirmed', 'It landed, and was confirmed.'],
  ['failed', 'It is in a block with an error: its fee was paid, and no tip.'],
  ['expired', 'Its blockhash has expired, so that it cannot land any more.'],
  ['rejected', 'Every node that it was sent to has refused it.'],
  ['unknown', 'It was given up without an answer, or the instance ended meanwhile.'],
  ['under-way', 'It is sent again until it has landed or cannot any more.'],
] as const;

/** What an outcome means; null for one that this page does not know. */
export function explainOutcome(outcome: string | null): string | null {
  return OUTCOMES.find(([name]) => name === (outcome ?? 'under-way'))?.[1] ?? null;
}
