import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../common/package.ts';
import { parseErrorSections, readErrorSections } from './error-sections.ts';

describe('readErrorSections', () => {
  const sections = readErrorSections(packageRoot);

  it('knows what every section of the page is about', () => {
    const titles = sections.map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining(['REST: statuses', 'Execute: `code`', 'Admin port: texts']),
    );
    expect(titles.length).toBeGreaterThan(15);
  });

  it('has tables whose rows are as long as their headings, and no markup besides code', () => {
    const tables = sections.flatMap(({ blocks }) => blocks).filter((block) => block.kind === 'table');
    expect(tables.length).toBeGreaterThan(8);
    for (const { headings, rows } of tables) for (const row of rows) expect(row.length).toBe(headings.length);
    const texts = tables.flatMap(({ rows }) => rows.flat());
    expect(texts.filter((text) => /\]\(|\*\*/.test(text))).toEqual([]);
    expect(texts).toContain('`TOKEN_NOT_TRADABLE`');
  });
});

describe('parseErrorSections', () => {
  it('reads paragraphs, tables, texts of refusals and headings in their order', () => {
    expect(parseErrorSections(PAGE)).toEqual([
      {
        title: 'Swap: `errorCode`',
        anchor: 'swap-errorcode',
        scope: { kind: 'tag', tag: 'swap', pathPart: null },
        blocks: [
          { kind: 'text', text: 'One two fees three.' },
          { kind: 'table', headings: ['code', 'do'], rows: [['`A|B`', '']] },
          { kind: 'text', text: 'After the table.' },
          { kind: 'heading', text: 'Texts' },
          { kind: 'texts', lines: ['… is wrong', '| is text'] },
        ],
      },
    ]);
  });

  it('refuses a section of which it is not known what it is about', () => {
    expect(() => parseErrorSections('## Weather\n\nRain.\n')).toThrow('the section "Weather"');
  });
});

const PAGE = `# Errors

## Swap: \`errorCode\`

One **two** [fees](fees.md)
three.

| code | do |
|---|---|
| \`A\\|B\` | |
After the table.

### Texts

<!-- texts: swap -->

\`\`\`text
… is wrong
| is text
\`\`\`

<!-- /texts -->

## Makers: gRPC statuses

Other.
`;
