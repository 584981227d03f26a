import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of the files of a checkout by their paths, which are relative to its root and have slashes. */
export type SourceTree = ReadonlyMap<string, string>;

/** Files whose texts are read. The others are binaries, data and licences. */
const TEXT = /\.(?:tsx?|mts|mjs|js|rs|toml|json|ya?ml|proto|sh|py)$|(?:^|\/)Dockerfile$/;

const TESTS = /\.test\.ts$|-for-tests\.ts$|(?:^|\/)(?:test|tests|testing|conformance|bench)\//;
const DOCUMENTS = /\.md$|^(?:docs|examples)\//;
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|Cargo\.lock)$|^programs\/dist\/|(?:^|\/)generated\/|^biome\.json$/;

/**
 * Reads the files of a checkout that Git tracks, or would track: a file that was moved counts at its new place before it
 * is committed.
 *
 * @param root - The folder of the checkout.
 * @throws Error if the folder is not in a Git repository.
 */
export function readSourceTree(root: string): SourceTree {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = listed.split('\0').filter((path) => TEXT.test(path) && existsSync(join(root, path)));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Whether the file is neither a test, nor a helper or bench of tests, nor a document, nor generated. */
export function isProductionFile(path: string): boolean {
  return !TESTS.test(path) && !DOCUMENTS.test(path) && !GENERATED.test(path);
}

/** Returns the production files of `src/` without declaration files, which declare what is written elsewhere. */
export function getProductionSources(tree: SourceTree): SourceTree {
  const isCounted = (path: string) =>
    path.startsWith('src/') &&
    path.endsWith('.ts') &&
    !path.endsWith('.d.ts') &&
    !/\.test\.ts$|for-tests\.ts$|^src\/testing\//.test(path);
  return new Map([...tree].filter(([path]) => isCounted(path)));
}

/**
 * Removes the comments of TypeScript and Rust in formatted code, where a comment begins a line or follows a space. A string
 * that contains a space and two slashes is cut off there.
 */
export function removeComments(text: string): string {
  return text.replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, '').replaceAll(/(^|[ \t])\/\/.*$/gm, '$1');
}
