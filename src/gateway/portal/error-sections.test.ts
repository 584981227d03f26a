import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../common/package.ts';
import { parseErrorSections, readErrorSections } from './error-sections.ts';

describe('readErrorSections', () => {
  const sections = readErrorSections(packageRoot, SWAP);

  it('has the sections of the gateway, and those that products declare', () => {
    const titles = sections.map(({ title }) => title);
    expect(titles).toEqual([
      'REST: statuses',
      'Swap: `errorCode` of 400',
      'Swap: exact texts',
      'Swap: texts of 400',
      'Execute: `code`',
      'Admin port: texts',
    ]);
  });

  it('has tables whose rows are as long as their headings, and no markup besides code', () => {
    const tables = sections.flatMap(({ blocks }) => blocks).filter((block) => block.kind === 'table');
    expect(tables.length).toBeGreaterThan(3);
    for (const { headings, rows } of tables) for (const row of rows) expect(row.length).toBe(headings.length);
    const texts = tables.flatMap(({ rows }) => rows.flat());
    expect(texts.filter((text) => /\]\(|\*\*/.test(text))).toEqual([]);
    expect(texts).toContain('`TOKEN_NOT_TRADABLE`');
  });
});

describe('parseErrorSections', () => {
  it('reads paragraphs, tables, texts of refusals and headings in their order', () => {
    expect(parseErrorSections(PAGE, SWAP)).toEqual([
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

  it('leaves out a section that nobody declares', () => {
    expect(parseErrorSections('## Weather\n\nRain.\n', SWAP)).toEqual([]);
  });
});

const SWAP = [
  { name: 'swap', errorSections: [{ heading: 'Swap' }, { heading: 'Execute', pathPart: '/execute' }] },
];

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
