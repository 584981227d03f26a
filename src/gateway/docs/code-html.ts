import { escapeHtml } from './escape-html.ts';
import { colourCode, hasGrammar } from './grammars.js';

/** Longer code is shown without colours, since finding them takes time of the thread. */
const MAX_LENGTH = 100_000;

/**
 * Returns code as HTML in the colours of its language.
 * @param language - The name after a fence. Code in a language without a grammar is only escaped.
 */
export function renderCodeHtml(code: string, language: string): string {
  if (!hasGrammar(language) || code.length > MAX_LENGTH) return escapeHtml(code);
  return colourCode(code, language);
}
