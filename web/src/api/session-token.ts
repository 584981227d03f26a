import { useSyncExternalStore } from 'react';
import { ApiError } from './call.ts';
import { announceCredentialChange, watchCredentials } from './credentials.ts';

/** The header that carries the page's half of the session. The other half is a cookie, which no page can read. */
export const SESSION_HEADER = 'x-sluice-session';
/** All tabs of the origin have the session together. Other ports of the host, which get the cookie, have another storage. */
const KEY = 'sluice-session';

/** Where the browser keeps nothing, the session lasts until a reload. */
let unkept = '';
/** Why nobody is signed in, where somebody was. */
let notice: string | null = null;

function findStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

const storage = findStorage();
globalThis.addEventListener?.('storage', (event) => {
  // Another tab has signed in or out. Without a key, everything was removed.
  if ((event as StorageEvent).key === KEY || (event as StorageEvent).key === null) announceCredentialChange();
});

/** Returns the page's half of the session of this browser; empty if nobody is signed in. */
export function getSessionToken(): string {
  return storage?.getItem(KEY) ?? unkept;
}

/**
 * Keeps the page's half of a session; an empty one is forgotten.
 *
 * @param why - A sentence that tells the reader why nobody is signed in any more; null: the reader knows.
 */
export function keepSessionToken(token: string, why: string | null = null): void {
  unkept = token;
  notice = why;
  try {
    if (token === '') storage?.removeItem(KEY);
    else storage?.setItem(KEY, token);
  } catch {
    // A full or a forbidden storage: the session lasts until a reload.
  }
  announceCredentialChange();
}

/** Forgets a session that the server no longer knows, unless another one has begun since the request was sent. */
export function forgetRefusedSession(error: unknown, sent: string): void {
  if (!(error instanceof ApiError) || error.status !== 401 || sent === '' || getSessionToken() !== sent)
    return;
  keepSessionToken('', 'Your session has ended. Sign in again to go on.');
}

/** Returns the page's half of the session; empty if nobody is signed in. */
export function useSessionToken(): string {
  return useSyncExternalStore(watchCredentials, getSessionToken);
}

/** Returns why nobody is signed in, where somebody was; null: nobody was, or somebody is. */
export function useSessionNotice(): string | null {
  return useSyncExternalStore(watchCredentials, () => notice);
}
