/**
 * Seconds from the quote during which a fill may land. The taker has the first 35 seconds, and last look and landing
 * have the rest. This limits how long either side is bound by its signature.
 */
export const FILL_LIFE_SECONDS = 55n;
/** The last seconds of a fill, which belong to the maker: the taker has executed its order before. */
export const SETTLING_SECONDS = 20n;
