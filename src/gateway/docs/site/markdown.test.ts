import { describe, expect, it } from 'vitest';
import { renderMarkdown, parseSections } from './markdown.ts';

describe('renderMarkdown', () => {
  it.each([
    [
      'a heading with its anchor',
      '## Rate `limit`, by key',
      '<h2 id="rate-limit-by-key">Rate <code>limit</code>, by key<a class="anchor" href="#rate-limit-by-key" aria-label="Link to: Rate limit, by key"></a></h2>',
    ],
    ['a paragraph over two lines', 'one\ntwo', '<p>one\ntwo</p>'],
    [
      'bold and emphasised text',
      '**a `b`** and *c*',
      '<p><strong>a <code>b</code></strong> and <em>c</em></p>',
    ],
    ['no emphasis in a product', '2 * 3 * 4', '<p>2 * 3 * 4</p>'],
    ['a link', '[`x`](http://a/b)', '<p><a href="http://a/b"><code>x</code></a></p>'],
    ['the label of a link that leads nowhere', '[x](../src/a.ts)', '<p>x</p>'],
    ['escaped HTML', '<script>"&', '<p>&lt;script&gt;&quot;&amp;</p>'],
    ['an anchor', '<a id="shares"></a>', '<p><a id="shares"></a></p>'],
    [
      'code as it stands',
      '```text\n# <a>\n| b\n```',
      '<div class="code"><pre tabindex="0"><code># &lt;a&gt;\n| b</code></pre></div>',
    ],
    [
      'code in its colours',
      '```ts\n// <a>\n```',
      '<div class="code"><pre tabindex="0"><code><span class="hljs-comment">// &lt;a&gt;</span></code></pre></div>',
    ],
    ['a list', '- a\n  b\n- c', '<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>'],
    ['a list in an item', '1. a\n   - b\n2. c', '<ol>\n<li>a<ul>\n<li>b</li>\n</ul></li>\n<li>c</li>\n</ol>'],
    [
      'a table with a bar in a cell',
      '| a | b |\n|---|---|\n| `x\\|y` | 2 |',
      '<div class="table" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x|y</code></td><td>2</td></tr></tbody></table></div>',
    ],
  ])('renders %s', (_, markdown, html) => {
    expect(render(markdown)).toBe(html);
  });
});

describe('parseSections', () => {
  it('parts a page at its headings, and leaves out the markup', () => {
    expect(
      parseSections('# A\n\nSee [b](c.md).\n```sh\n# not one\n```\n## `B`\n| x | y |\n|---|---|\n'),
    ).toEqual([
      { heading: 'A', level: 1, anchor: 'a', text: 'See b. # not one' },
      { heading: 'B', level: 2, anchor: 'b', text: 'x y' },
    ]);
  });
});

const toSite = (target: string) => (target.startsWith('http') ? target : null);
const render = (markdown: string) => renderMarkdown(markdown, toSite);
