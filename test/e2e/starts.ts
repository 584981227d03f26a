import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';

const folders: string[] = [];
const instances: Instance[] = [];

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-e2e-'));
  folders.push(folder);
  return folder;
}

/** Starts an instance whose start or end a test is about. */
export function start(folder: string, ...flags: string[]): Instance {
  const instance = startOwnInstance({ reason: 'its start or end is tested', flags, folder });
  instances.push(instance);
  return instance;
}

/** Stops what was started, and removes the folders. */
export async function closeStarts(): Promise<void> {
  await Promise.all(instances.splice(0).map((instance) => instance.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export async function fetchJson(
  url: string,
  init?: RequestInit,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

export async function callRpc(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const { body } = await fetchJson(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (body as { readonly result: unknown }).result;
}
