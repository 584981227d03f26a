// Ranks the entries of the search index. It runs in the browser, and has no imports.

/** What a word of the search is worth in the title of a page, in a heading, in the page's title below it, and in a text. */
const WEIGHTS = { title: 12, heading: 8, page: 3, text: 1 };
/** Decisions and changes explain the past. A reader wants the page that says what holds now. */
const HISTORY = /^\/docs\/(decisions|changelog)\b/;
const HISTORY_SHARE = 0.4;

/** Returns the words of a search, in lower case. */
export function toWords(query) {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Returns the entries that have every word, the best first: those with the words in the title of a page, then in a heading,
 * then in the text. A whole word counts for more than the beginning of one, and that for more than a part.
 */
export function rankEntries(entries, words) {
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: computeScore(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.entry.heading.length - b.entry.heading.length)
    .map(({ entry }) => entry);
}

function computeScore(entry, words) {
  const heading = entry.heading.toLowerCase();
  const page = entry.page.toLowerCase();
  const text = entry.text.toLowerCase();
  const isTitle = heading === page;
  let score = 0;
  for (const word of words) {
    const best = Math.max(
      (isTitle ? WEIGHTS.title : WEIGHTS.heading) * matchWord(heading, word),
      WEIGHTS.page * matchWord(page, word),
      WEIGHTS.text * matchWord(text, word),
    );
    if (best === 0) return 0;
    score += best;
  }
  const phrase = words.join(' ');
  if (heading === phrase) score += 100;
  else if (heading.includes(phrase)) score += 20;
  else if (text.includes(phrase)) score += 4;
  return HISTORY.test(entry.url) ? score * HISTORY_SHARE : score;
}

/** Returns 3 for a whole word, 2 for the beginning of one, a quarter for a part, and 0 if the text does not have it. */
function matchWord(text, word) {
  let best = 0;
  for (let at = text.indexOf(word); at !== -1 && best < 3; at = text.indexOf(word, at + 1)) {
    const begins = isBoundary(text[at - 1]);
    const ends = isBoundary(text[at + word.length]);
    best = Math.max(best, begins ? (ends ? 3 : 2) : 0.25);
  }
  return best;
}

function isBoundary(character) {
  return character === undefined || !/[\p{L}\p{N}]/u.test(character);
}
