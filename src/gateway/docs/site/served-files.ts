import { readdirSync, readFileSync } from 'node:fs';
import type { DocsTarget } from './pages.ts';

/** A file that the site serves beside its pages. */
export interface ServedFile extends DocsTarget {
  readonly contents: Buffer;
}

/** The folders whose files a reader copies: the examples and the interface of streaming makers. */
const FOLDERS = ['examples', 'proto'];
const SOURCE = /\.(ts|py|go|rs|toml|lock|proto)$/;
/** What compilers and interpreters leave in a checkout. */
const LEFT_OVER = /^(target|node_modules|__pycache__|\..*)$/;

/**
 * Reads the examples and the proto files, which are served below `/docs` under their own paths.
 * @param root - The folder of the package, with a slash at the end.
 * @throws Error if a file cannot be read
 */
export function readServedFiles(root: URL): readonly ServedFile[] {
  return FOLDERS.flatMap((folder) => listSources(root, folder)).map((file) => ({
    file,
    path: `/docs/${file}`,
    contents: readFileSync(new URL(file, root)),
  }));
}

function listSources(root: URL, folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (LEFT_OVER.test(entry.name)) return [];
    if (entry.isDirectory()) return listSources(root, path);
    return entry.isFile() && SOURCE.test(entry.name) ? [path] : [];
  });
}
