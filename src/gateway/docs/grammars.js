// The types of highlight.js bring those of a browser into every program that sees them. This file is JavaScript with
// types of its own beside it, so that the compiler does not read them.
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

export function hasGrammar(language) {
  return hljs.getLanguage(language) !== undefined;
}

export function colourCode(code, language) {
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
