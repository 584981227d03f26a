import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import protobuf from 'highlight.js/lib/languages/protobuf';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from './escape-html.ts';

// A grammar brings its short names with it: `sh`, `console`, `ts`, `js`, `py`, `rs`, `proto`, `toml` and `yml`.
const LANGUAGES = {
  bash,
  go,
  http,
  ini,
  javascript,
  json,
  protobuf,
  python,
  rust,
  shell,
  sql,
  typescript,
  yaml,
};
for (const [name, grammar] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, grammar);

/** Longer code is shown without colours, since finding them takes time of the thread. */
const MAX_LENGTH = 100_000;

/**
 * Returns code as HTML, with a `span` of the class `hljs-...` around each word that has a colour.
 * @param language - The name after a fence. Code in a language without a grammar is only escaped.
 */
export function renderCodeHtml(code: string, language: string): string {
  if (hljs.getLanguage(language) === undefined || code.length > MAX_LENGTH) return escapeHtml(code);
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
