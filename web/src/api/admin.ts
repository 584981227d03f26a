import type { QueryClient } from '@tanstack/react-query';
import { callApi } from './call.ts';
import { getAdminCredential } from './credentials.ts';
import { forgetRefusedSession, getSessionToken, SESSION_HEADER } from './session-token.ts';

/** Which of the two interfaces a request is for. The credential of one is not sent to the other. */
export type CalledSide = 'public' | 'admin';

/**
 * Calls a path of the admin interface, with the session of this browser or the credential of this tab. The admin port alone
 * serves it.
 *
 * @throws as `callApi`
 */
export function callAdmin<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  return callInSession(withAdminCredential(init), (request) => callApi<Answer>(path, request));
}

/** Makes a call, and forgets the session if the server does not know it any more. */
export async function callInSession<Answer>(
  init: RequestInit,
  call: (init: RequestInit) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(init);
  } catch (error) {
    forgetRefusedSession(error, new Headers(init.headers).get(SESSION_HEADER) ?? '');
    throw error;
  }
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

/**
 * Adds what the reader is let in by: the credential that was entered in this tab, or else the page's half of the session. A
 * request that reads a stream does so, too.
 */
export function withAdminCredential(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  const [credential, token] = [getAdminCredential(), getSessionToken()];
  if (headers.has('authorization') || (credential === '' && token === '')) return init;
  if (credential !== '') headers.set('authorization', `Bearer ${credential}`);
  else headers.set(SESSION_HEADER, token);
  return { ...init, headers };
}

/** What no change of the network changes, by the beginning of its query key. */
const KEPT: ReadonlySet<unknown> = new Set(['instance', 'openapi', 'errors', 'throwaway-wallet']);

/** Makes every page ask again for what it shows of the network, after something has changed it. */
export function invalidateNetwork(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
}
