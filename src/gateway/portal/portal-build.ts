import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** A file of the built portal, with its compressed forms. */
export interface PortalFile {
  readonly type: string;
  readonly identity: Buffer;
  /** Null if the build has no such form. */
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  /** A hash of the contents, for `etag`. */
  readonly hash: string;
}

export interface PortalBuild {
  readonly page: PortalFile;
  /** All other files, by their paths below the portal's folder, such as `assets/index-1f9.js`. */
  readonly files: ReadonlyMap<string, PortalFile>;
}

const PAGE = 'index.html';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
const HASH_LENGTH = 16;

/**
 * Reads the built portal into memory, so that a path that a client sends never reaches the file system. Files of other types
 * than those of a web page, such as source maps, are left out.
 * Returns null if the folder has no page: the portal was not built.
 */
export function readPortalBuild(folder: string): PortalBuild | null {
  if (!hasPortalBuild(folder)) return null;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'));
  return {
    page: readPortalFile(join(folder, PAGE), 'text/html; charset=utf-8'),
    files: new Map(
      names.map((name) => [name, readPortalFile(join(folder, name), TYPES[extname(name)] ?? '')]),
    ),
  };
}

/** Whether a folder has a built portal. */
export function hasPortalBuild(folder: string): boolean {
  return existsSync(join(folder, PAGE));
}

function readPortalFile(path: string, type: string): PortalFile {
  const identity = readFileSync(path);
  return {
    type,
    identity,
    br: readIfThere(`${path}.br`),
    gzip: readIfThere(`${path}.gz`),
    hash: hashPortalFile(identity),
  };
}

/** Returns the beginning of a hash of a file's contents. */
export function hashPortalFile(contents: Buffer): string {
  return createHash('sha256').update(contents).digest('hex').slice(0, HASH_LENGTH);
}

function readIfThere(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

/**
 * Returns a function that returns the build. While there is none, it looks again at each call, because a checkout may be
 * building it meanwhile; what it has read once, it keeps.
 */
export function createPortalReader(folder: string): () => PortalBuild | null {
  let build: PortalBuild | null = null;
  return () => {
    build ??= readPortalBuild(folder);
    return build;
  };
}
