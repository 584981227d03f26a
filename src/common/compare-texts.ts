/** Compares two texts by their code units, for sorting in ascending order. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
