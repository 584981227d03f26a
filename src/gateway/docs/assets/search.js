// Searches the documentation in the browser.

import { rankEntries, toWords } from './search-ranking.js';

const MAX_RESULTS = 20;
const EXCERPT_LENGTH = 160;

const input = document.getElementById('search');
const list = document.getElementById('found');
const status = document.getElementById('search-status');
let index;
/** The number of the result that the arrow keys have chosen, or -1. */
let chosen = -1;

input.addEventListener('focus', loadIndex);
input.addEventListener('input', showResults);
input.addEventListener('keydown', onKey);
document.addEventListener('keydown', onShortcut);
// A result can lead to another place of the same page, which is not loaded again.
list.addEventListener('click', close);
document.addEventListener('click', ({ target }) => {
  if (!target.closest('header.site')) close();
});

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
  const words = toWords(input.value);
  const entries = words.length === 0 ? [] : await loadIndex();
  // What was typed while the index was loading has a call of its own.
  if (toWords(input.value).join(' ') !== words.join(' ')) return;
  if (words.length === 0) return close();
  const found = rankEntries(entries, words);
  const shown = found.slice(0, MAX_RESULTS);
  list.replaceChildren(...shown.map((entry, at) => createResult(entry, at, words[0])));
  list.hidden = shown.length === 0;
  input.setAttribute('aria-expanded', String(shown.length > 0));
  choose(-1);
  status.textContent = describe(found.length);
}

function describe(count) {
  if (count === 0) return 'Nothing found.';
  if (count === 1) return '1 result';
  return count > MAX_RESULTS ? `${count} results, the best ${MAX_RESULTS} of them here` : `${count} results`;
}

function close() {
  list.replaceChildren();
  list.hidden = true;
  status.textContent = '';
  input.setAttribute('aria-expanded', 'false');
  choose(-1);
}

/** The focus stays in the field, so that one can type on. The field names the chosen result for screen readers. */
function choose(at) {
  chosen = at;
  for (const [number, option] of [...list.children].entries())
    option.setAttribute('aria-selected', String(number === at));
  const option = list.children[at];
  if (option === undefined) return input.removeAttribute('aria-activedescendant');
  input.setAttribute('aria-activedescendant', option.id);
  option.scrollIntoView({ block: 'nearest' });
}

function onKey(event) {
  const count = list.children.length;
  // Enter and Escape that belong to an input method, as for Japanese, are not for the search.
  if (event.isComposing) return;
  if (event.key === 'Escape' && count > 0) close();
  else if (event.key === 'Enter' && count > 0) list.children[Math.max(chosen, 0)].click();
  else if (event.key === 'ArrowDown' && count > 0) choose((chosen + 1) % count);
  else if (event.key === 'ArrowUp' && count > 0) choose(chosen <= 0 ? count - 1 : chosen - 1);
  else if (event.key === 'ArrowDown') showResults();
  else return;
  event.preventDefault();
}

/** A slash, or K with Control or Command, goes to the search from anywhere on the page. */
function onShortcut(event) {
  const isTyping = event.target.matches('input, textarea, select');
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
  const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (!isSlash && !isCommand) return;
  event.preventDefault();
  input.focus();
  input.select();
}

function createResult({ url, page, heading, text }, at, word) {
  const option = document.createElement('a');
  option.id = `result-${at}`;
  option.setAttribute('role', 'option');
  option.href = url;
  const name = document.createElement('b');
  name.textContent = heading === page ? page : `${page}: ${heading}`;
  const excerpt = document.createElement('span');
  excerpt.textContent = cutExcerpt(
    text,
    heading.toLowerCase().includes(word) ? 0 : text.toLowerCase().indexOf(word),
  );
  option.append(name, excerpt);
  return option;
}

/** Cuts a part of a text at its spaces, which begins shortly before a place. */
function cutExcerpt(text, place) {
  const near = place - EXCERPT_LENGTH / 4;
  const start = near <= 0 ? 0 : text.lastIndexOf(' ', near) + 1;
  const rest = text.slice(start);
  if (rest.length <= EXCERPT_LENGTH) return start === 0 ? rest : `… ${rest}`;
  const end = rest.lastIndexOf(' ', EXCERPT_LENGTH);
  return `${start === 0 ? '' : '… '}${rest.slice(0, end > 0 ? end : EXCERPT_LENGTH)} …`;
}
