import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from './child.mjs';

/** @typedef {import('./docstring-examples.mjs').DocstringExample} DocstringExample */

/**
 * Compiles the project and the examples of its docstrings as one program, so that what examples import is read once.
 *
 * @param {string} root - The folder of the checkout.
 * @param {readonly DocstringExample[]} examples
 * @returns {Promise<readonly string[]>} The compiler's messages, with the file and line of the docstring for an
 *   example; empty when all compiles.
 */
export function checkTypes(root, examples) {
  const { include, exclude } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return compile(root, examples, {
    include: include.map((/** @type {string} */ path) => join(root, path)),
    exclude: exclude.map((/** @type {string} */ path) => join(root, path)),
  });
}

/**
 * Compiles examples alone.
 *
 * @param {string} root - The folder of the checkout.
 * @param {readonly DocstringExample[]} examples
 * @returns {Promise<readonly string[]>} As `checkTypes`.
 */
export function checkExamples(root, examples) {
  return compile(root, examples, { include: [], exclude: [] });
}

/**
 * Compiles the portal, which runs in a browser and has a configuration of its own.
 *
 * @param {string} root - The folder of the checkout.
 * @returns {Promise<readonly string[]>} The compiler's messages.
 */
export async function checkPortalTypes(root) {
  return runCompiler(root, join(root, 'web', 'tsconfig.json'));
}

/**
 * Compiles each example as a module of its own beside the file that it documents.
 *
 * @param {string} root
 * @param {readonly DocstringExample[]} examples
 * @param {{ include: readonly string[], exclude: readonly string[] }} files - The files of the project.
 * @returns {Promise<readonly string[]>}
 */
async function compile(root, examples, { include, exclude }) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-types-'));
  try {
    // `rootDirs` lays this folder over the project, so that an example's relative imports find the project's files.
    const options = { extends: join(root, 'tsconfig.json'), compilerOptions: { rootDirs: [root, folder] } };
    write(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ ...options, include: [...include, 'src'], exclude }),
    );
    write(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const { file, line, code } of examples) {
      if (code !== null) write(join(folder, file.replace(/\.ts$/, `.example-${line}.ts`)), code);
    }
    return (await runCompiler(root, join(folder, 'tsconfig.json'))).map(withDocumentedFile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {string} project - The path of its configuration.
 * @returns {Promise<readonly string[]>} The compiler's messages.
 */
async function runCompiler(root, project) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '--pretty', 'false', '--project', project];
  const { code, output } = await run(process.execPath, args, { cwd: root, capture: true });
  const messages = output.split('\n').filter((line) => line.trim() !== '');
  return code !== 0 && messages.length === 0 ? [`the compiler ended with ${code}`] : messages;
}

/**
 * Names the documented file in a message about an example, whose columns and lines are those of the documented file.
 *
 * @param {string} message
 */
function withDocumentedFile(message) {
  return message.replace(/^\S*?(src\/\S+)\.example-\d+\.ts\((\d+),/, '$1.ts($2,');
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
