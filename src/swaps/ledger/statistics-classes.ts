/** Upper bounds of the distances from the order that won, in hundredths of a basis point. */
export const DISTANCE_BOUNDS = [0, 100, 500, 2_000] as const;

/** Upper bounds of the times at last look, in milliseconds. */
export const LAST_LOOK_BOUNDS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

const MINUTE = 60_000;
/** Lengths of the intervals into which a range of time is divided. */
const INTERVALS = [1, 5, 15, 60, 360, 1_440].map((minutes) => minutes * MINUTE);
const MAX_INTERVALS = 200;
const [SHORTEST = MINUTE, LONGEST = MINUTE] = [INTERVALS[0], INTERVALS.at(-1)];

/** Returns the length of the shortest intervals of which a range has at most 200, in milliseconds; or days. */
export function chooseInterval(range: number): number {
  if (range <= SHORTEST) return SHORTEST;
  return INTERVALS.find((length) => range / length <= MAX_INTERVALS) ?? LONGEST;
}
