/** Returns the name that the user probably meant by `text`, or null when no name is similar. */
export function findNearestName(text: string, names: readonly string[]): string | null {
  const wanted = text.slice(0, MAX_LENGTH).toLowerCase();
  let best: string | null = null;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const name of names) {
    const distance = computeEditDistance(wanted, name.toLowerCase());
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

/** Bounds the work, because a user may type anything. */
const MAX_LENGTH = 64;

/**
 * Returns the edit distance of two texts: the smallest number of insertions, deletions, replacements and swaps of
 * neighbouring characters that turn one into the other.
 */
export function computeEditDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
