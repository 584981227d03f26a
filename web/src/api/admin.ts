import type { QueryClient } from '@tanstack/react-query';
import { callApi } from './call.ts';
import { getAdminCredential } from './credentials.ts';

/** Which of the two interfaces a request is for. The credential of one is not sent to the other. */
export type CalledSide = 'public' | 'admin';

/**
 * Calls a path of the admin interface with the credential of this tab. The admin port alone serves it.
 *
 * @throws as `callApi`
 */
export function callAdmin<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  return callApi(path, withAdminCredential(init));
}

/** Calls a path of the admin interface with a JSON body. @throws as `callApi` */
export function sendAdmin<Answer>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> {
  if (body === undefined) return callAdmin(path, { method });
  return callAdmin(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Adds the credential of the admin interface that was entered in this tab, if there is one. */
export function withAdminCredential(init: RequestInit): RequestInit {
  const credential = getAdminCredential();
  const headers = new Headers(init.headers);
  if (credential === '' || headers.has('authorization')) return init;
  headers.set('authorization', `Bearer ${credential}`);
  return { ...init, headers };
}

/** What no change of the network changes, by the beginning of its query key. */
const KEPT: ReadonlySet<unknown> = new Set(['instance', 'openapi', 'errors', 'throwaway-wallet']);

/** Makes every page ask again for what it shows of the network, after something has changed it. */
export function invalidateNetwork(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
}
