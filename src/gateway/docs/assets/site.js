// Searches the documentation in the browser, and folds the contents on narrow screens.

const MAX_RESULTS = 20;
const EXCERPT_LENGTH = 160;

const input = document.getElementById('search');
const list = document.getElementById('results');
let index;

input.addEventListener('focus', loadIndex);
input.addEventListener('input', showResults);
if (matchMedia('(max-width: 50rem)').matches) document.querySelector('.navigation').open = false;

// A link to a search, as in /docs?q=slippage, is searched at once.
const asked = new URLSearchParams(location.search).get('q');
if (asked !== null) {
  input.value = asked;
  showResults();
}

function loadIndex() {
  index ??= fetch('/docs/search.json').then((response) => response.json());
  return index;
}

async function showResults() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = words.length === 0 ? [] : await loadIndex();
  // What was typed while the index was loading has a call of its own.
  if (input.value.toLowerCase().split(/\s+/).filter(Boolean).join(' ') !== words.join(' ')) return;
  const found = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS);
  list.replaceChildren(...found.map(({ entry }) => resultOf(entry, words[0])));
  if (words.length > 0 && found.length === 0) list.append('Nothing found.');
  list.hidden = words.length === 0;
}

/** Every word has to be there. A word of a heading counts for more than one of the text. */
function scoreOf({ page, heading, text }, words) {
  const fields = [heading, page, text].map((field) => field.toLowerCase());
  let score = 0;
  for (const word of words) {
    const at = fields.findIndex((field) => field.includes(word));
    if (at === -1) return 0;
    score += [10, 5, 1][at];
  }
  return score;
}

function resultOf({ url, page, heading, text }, word) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = url;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  const excerpt = document.createElement('p');
  const start = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT_LENGTH / 4);
  excerpt.textContent = text.slice(start, start + EXCERPT_LENGTH);
  item.append(link, excerpt);
  return item;
}
