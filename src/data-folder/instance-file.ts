import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replacePrivateFile } from './private-file.ts';

/** The URLs of the instance that runs on a data folder. They contain no secret. */
export interface InstanceUrls {
  readonly rest: string;
  readonly admin: string;
  readonly grpc: string;
  /** Null over an outside RPC. */
  readonly rpc: string | null;
  readonly ws: string | null;
  /** Null where there is no such port. */
  readonly landing: string | null;
  readonly metrics: string | null;
}

/** Further ports that an instance need not have. */
type WrittenUrls = Omit<InstanceUrls, 'landing' | 'metrics'> & Partial<InstanceUrls>;

function instanceFile(dataDir: string): string {
  return join(dataDir, 'instance.json');
}

/**
 * Writes the URLs of the instance into the data folder, so that commands find it on any port.
 *
 * Returns a function that removes the file.
 */
export function keepInstanceUrls(dataDir: string, urls: WrittenUrls): () => void {
  const path = instanceFile(dataDir);
  replacePrivateFile(path, `${JSON.stringify({ pid: process.pid, urls }, null, 2)}\n`);
  return () => rmSync(path, { force: true });
}

/**
 * Reads the URLs of the instance of the data folder. They are outdated if the instance was killed.
 *
 * Returns null when no instance runs, or the file is damaged.
 */
export function readInstanceUrls(dataDir: string): InstanceUrls | null {
  const path = instanceFile(dataDir);
  // Reading another kind of file, such as a pipe, might never end.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  try {
    const { urls } = JSON.parse(readFileSync(path, 'utf8')) as { readonly urls?: Partial<InstanceUrls> };
    const { rest, admin, grpc, rpc = null, ws = null, landing = null, metrics = null } = urls ?? {};
    if (
      ![rest, admin, grpc].every(isUrl) ||
      ![rpc, ws, landing, metrics].every((url) => url === null || isUrl(url))
    )
      return null;
    return { rest, admin, grpc, rpc, ws, landing, metrics } as InstanceUrls;
  } catch {
    return null;
  }
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value);
}
