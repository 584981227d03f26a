import { describe, expect, it } from 'vitest';
import { escapeHtml } from './escape-html.ts';
import { renderCodeHtml } from './code-html.ts';

describe('renderCodeHtml', () => {
  it.each([
    ['sh', 'curl -s "http://a" # why', 'hljs-comment'],
    ['console', '$ npm start', 'hljs-meta prompt_'],
    ['json', '{ "a": 1 }', 'hljs-number'],
    ['ts', 'const a: string = "b";', 'hljs-keyword'],
    ['python', 'def a(): return "b"', 'hljs-keyword'],
    ['go', 'func main() {}', 'hljs-keyword'],
    ['rust', 'fn main() {}', 'hljs-keyword'],
    ['proto', 'message A { string b = 1; }', 'hljs-keyword'],
    ['toml', '[a]\nb = "c"', 'hljs-section'],
    ['yaml', 'a: b', 'hljs-attr'],
  ])('colours %s, and changes none of its characters', (language, code, kind) => {
    const html = renderCodeHtml(code, language);
    expect(html).toContain(`<span class="${kind}">`);
    expect(html.replaceAll(/<\/?span[^>]*>/g, '').replaceAll('&#x27;', '&#39;')).toBe(escapeHtml(code));
  });

  it('escapes code in any language, and code of no language', () => {
    const hostile = '<script>alert("&")</script>';
    for (const language of ['ts', 'sh', 'text', '', 'constructor', '__proto__'])
      expect(renderCodeHtml(hostile, language), language).not.toMatch(/<(?!\/?span)/);
  });

  it('shows very long code without colours', () => {
    expect(renderCodeHtml('1 '.repeat(60_000), 'ts')).not.toContain('<span');
  });
});
