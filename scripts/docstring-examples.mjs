import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One `@example` of a docstring.
 * @typedef {object} DocstringExample
 * @property {string} file the documented file, from the project's root
 * @property {number} line the line of the `@example` tag, from 1
 * @property {string | null} code on the lines and columns where it stands in the documented file; null without a ```ts fence
 */

/**
 * Finds the examples in the docstrings of all files below `src/`.
 *
 * @param {string} root - The folder of the checkout.
 * @returns {readonly DocstringExample[]}
 */
export function examplesOfSources(root) {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = `src/${name.replaceAll('\\', '/')}`;
      return docstringExamples(file, readFileSync(join(root, file), 'utf8'));
    });
}

/**
 * Finds the examples in the docstrings of one source file.
 *
 * @param {string} file - Path of the source file, from the project's root.
 * @param {string} text - Content of the source file.
 * @returns {readonly DocstringExample[]}
 */
export function docstringExamples(file, text) {
  return [...text.matchAll(/^[ \t]*\/\*\*[\s\S]*?\*\//gm)].flatMap((docstring) => {
    const firstLine = lineAt(text, docstring.index);
    return [...docstring[0].matchAll(/@example\b((?:(?!\n[ \t]*\*[ \t]*@)[\s\S])*)/g)].map((example) => ({
      file,
      line: firstLine + lineAt(docstring[0], example.index) - 1,
      code: fencedCode(text, docstring.index + example.index, example[0]),
    }));
  });
}

/**
 * @param {string} text - Content of the source file.
 * @param {number} offset - At which `tag` begins in `text`.
 * @param {string} tag
 * @returns {string | null} The code of the first ```ts fence in `tag`.
 */
function fencedCode(text, offset, tag) {
  const fence = /```ts\n([\s\S]*?)\n[ \t]*\*[ \t]*```/.exec(tag);
  if (fence === null) return null;
  const emptyLines = '\n'.repeat(lineAt(text, offset + fence.index));
  return emptyLines + (fence[1] ?? '').replace(/^([ \t]*)\*/gm, '$1 ');
}

/** @param {string} text @param {number} offset */
function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length;
}
