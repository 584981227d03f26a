import { TextIndex } from '../src/tokens/search/text-index.ts';
import { latencyRow } from './latency.ts';
import type { Row } from './row.ts';

export const title = 'Search for tokens by text';

const TOKENS = 500_000;
const SEARCHES = 3_000;
const MAX_P50 = 1;
const MAX_P99 = 6;
const MAX_BYTES = 1.5e9;
/** One of this many tokens has liquidity or trades. */
const RANKED_EVERY = 25;
const WORDS = 200_000;
const SYLLABLES =
  'ba do ge pe pi nu so la ka to mo on in ra wi fi xi zu ty er an el tr um p cat dog ai bit coin'.split(' ');

interface Item {
  readonly symbol: string;
  readonly name: string;
  readonly rank: number;
}

/** Names consist of two out of 200,000 words. As with real tokens, some words are far more frequent than others. */
export async function run(): Promise<readonly Row[]> {
  const random = randomFrom(12_345);
  const words = Array.from({ length: WORDS }, () => wordOf(random));
  const frequent = () => words[Math.floor(random() ** 3 * words.length)] ?? '';
  const before = heap();
  const index = new TextIndex<Item>();
  const ranked: { readonly id: string; readonly rank: number }[] = [];
  for (let at = 0; at < TOKENS; at++) {
    const symbol = random() < 0.5 ? frequent() : wordOf(random) + wordOf(random).slice(0, 3);
    const rank = at % RANKED_EVERY === 0 ? random() : 0;
    index.set(`mint ${at}`, { symbol, name: `${frequent()} ${frequent()}`, rank });
    if (rank > 0) ranked.push({ id: `mint ${at}`, rank });
  }
  ranked.sort((one, other) => other.rank - one.rank);
  index.rank(ranked.map(({ id }) => id));
  const bytes = heap() - before;
  for (let warm = 0; warm < SEARCHES / 10; warm++) index.search(frequent(), 20);
  const times = Array.from({ length: SEARCHES }, (_, at) => {
    const text = textOf(at, frequent, random);
    const from = performance.now();
    index.search(text, 20);
    return performance.now() - from;
  });
  times.sort((one, other) => one - other);
  const what = `words, beginnings, two words and misspelt words, over ${TOKENS.toLocaleString('en')} tokens`;
  return [
    latencyRow(what, times, MAX_P50, MAX_P99),
    {
      what: `memory of the texts and their index, ${TOKENS.toLocaleString('en')} tokens`,
      measured: `${(bytes / 1e9).toFixed(2)} GB`,
      atLeast: `at most ${MAX_BYTES / 1e9} GB`,
      ok: bytes <= MAX_BYTES,
    },
  ];
}

/** Five kinds of texts in turn: a word, its beginning, two words, a misspelt word, and a word that no token has. */
function textOf(at: number, frequent: () => string, random: () => number): string {
  const word = frequent();
  switch (at % 5) {
    case 0:
      return word;
    case 1:
      return word.slice(0, 1 + Math.floor(random() * 4));
    case 2:
      return `${word} ${frequent().slice(0, 3)}`;
    case 3:
      return `${word.slice(0, 2)}q${word.slice(2)}`;
    default:
      return wordOf(random) + wordOf(random);
  }
}

function wordOf(random: () => number): string {
  const syllables = 1 + Math.floor(random() * 4);
  return Array.from({ length: syllables }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
}

function heap(): number {
  return process.memoryUsage().heapUsed;
}

/** Mulberry32: numbers from 0 to 1 that depend on the seed alone. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
