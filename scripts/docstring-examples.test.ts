import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { docstringExamples, examplesOfSources } from './docstring-examples.mjs';
import { checkExamples } from './types.mjs';

describe('the examples in docstrings', () => {
  // The type check of `npm test` compiles them.
  it('have a ```ts fence each', () => {
    const examples = examplesOfSources(root);
    expect(examples).not.toEqual([]);
    const without = examples.filter(({ code }) => code === null);
    expect(without.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });
});

describe('checkExamples', () => {
  it('reports an error where it stands in the documented file', async () => {
    const examples = docstringExamples(
      'src/solana/units.ts',
      [
        '/** A first line. */',
        '/**',
        ' * A function.',
        ' *',
        ' * @example',
        ' * ```ts',
        " * import { bps } from './units.ts';",
        ' *',
        " * bps('30');",
        ' * ```',
        ' * @returns nothing',
        ' */',
      ].join('\n'),
    );
    expect(await checkExamples(root, examples)).toEqual([
      expect.stringMatching(/^src\/solana\/units\.ts\(9,8\): error TS2345: Argument of type 'string'/),
    ]);
  });
});

describe('docstringExamples', () => {
  it('finds several examples of one docstring, and one without code', () => {
    const text = '/**\n * @example\n * ```ts\n * one();\n * ```\n * @example two\n * @throws Error\n */\n';
    expect(docstringExamples('src/x.ts', text)).toEqual([
      { file: 'src/x.ts', line: 2, code: '\n\n\n   one();' },
      { file: 'src/x.ts', line: 6, code: null },
    ]);
  });
});

const root = fileURLToPath(new URL('..', import.meta.url));
