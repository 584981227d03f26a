import { type QueryClient, useQuery } from '@tanstack/react-query';
import { shape, type ShapeValue } from '../base/json-shape.ts';
import { callAdmin } from './admin.ts';
import { ApiError, postJson } from './call.ts';
import { ADMIN_CREDENTIAL, keepCredential, useCredential, useCredentialGeneration } from './credentials.ts';
import { useInstance } from './instance.ts';
import { readAnswer } from './read-answer.ts';
import { getSessionToken, keepSessionToken, SESSION_HEADER, useSessionToken } from './session-token.ts';

const PATH = '/admin/v1/session';
/** A session that no request uses ends after an hour: a page that is seen asks before. */
const KEEP_MS = 10 * 60 * 1_000;
/** A server that could not say who is signed in, because its database was away, is asked again soon. */
const RETRY_MS = 5_000;

const SESSION = {
  who: shape.text,
  /** `operator`, or the role of the member. */
  standing: shape.text,
  /** The organisation of the member; null: the operator, who may access all. */
  organisation: shape.nullable(shape.text),
  teams: shape.list(shape.text),
  rights: shape.list(shape.text),
  /** Null: a credential of this tab is used, and no session. */
  expiresAt: shape.nullable(shape.number),
};
const readSession = shape.object(SESSION);
const readNewSession = shape.object({ ...SESSION, pageToken: shape.text });

/** Who is signed in, and what the server lets them do. */
export type Session = ShapeValue<typeof readSession>;

/** Reads who is signed in. Nothing is asked where nobody can be. */
export function useSessionQuery() {
  const generation = useCredentialGeneration();
  const hasToken = useSessionToken() !== '';
  const hasCredential = useCredential(ADMIN_CREDENTIAL)[0] !== '';
  const isAdminPort = useInstance().data?.port === 'admin';
  return useQuery({
    queryKey: ['admin-session', generation],
    queryFn: async () => readAnswer('who is signed in', readSession, await callAdmin(PATH)),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { error } }) => (isOutage(error) ? RETRY_MS : KEEP_MS),
    enabled: isAdminPort && (hasToken || hasCredential),
  });
}

/** A refusal is an answer. Whoever asks again and again with a wrong credential would be counted as guessing. */
function isOutage(error: Error | null): boolean {
  return error !== null && !(error instanceof ApiError && error.status < 500);
}

/** Returns who is signed in; null if nobody is, and while that is not known. */
export function useSession(): Session | null {
  return useSessionQuery().data ?? null;
}

/** Where something is done: in an organisation, and in one of its teams. */
export interface SessionPlace {
  readonly organisation?: string;
  readonly team?: string;
}

/** The rights that a member without another role has in its own teams only. */
const OF_OWN_TEAMS: ReadonlySet<string> = new Set(['key.write', 'rule.write']);

/**
 * Whether somebody may do something. The server decides in any case.
 *
 * @param right - As the documentation names it: `key.write`.
 * @example
 * ```ts
 * import { can, type Session } from './session.ts';
 *
 * export function mayCreateKeys(session: Session | null): boolean {
 *   return can(session, 'key.write', { organisation: 'acme', team: 'web' });
 * }
 * ```
 */
export function can(session: Session | null, right: string, place: SessionPlace = {}): boolean {
  if (session === null || !session.rights.includes(right)) return false;
  const { organisation, team } = place;
  if (session.organisation !== null && organisation !== undefined && organisation !== session.organisation) {
    return false;
  }
  const isOwnOnly = session.standing === 'member' && OF_OWN_TEAMS.has(right);
  return !isOwnOnly || team === undefined || session.teams.includes(team);
}

/** Signs in. @throws ApiError if the credential is not accepted */
export async function signIn(queryClient: QueryClient, credential: string, name: string): Promise<Session> {
  const named = name === '' ? {} : { name };
  // The session that this browser had is ended with it.
  const previous = getSessionToken();
  const headers = previous === '' ? {} : { [SESSION_HEADER]: previous };
  const answer = await postJson(PATH, { credential, ...named }, headers);
  const { pageToken, ...session } = readAnswer('the session', readNewSession, answer);
  // It would come before the session.
  keepCredential(ADMIN_CREDENTIAL, '');
  keepSessionToken(pageToken);
  forgetAnswers(queryClient);
  return session;
}

/** Signs out of this browser, or everywhere. What the page has read is forgotten, also if the server cannot be told. */
export async function signOut(queryClient: QueryClient, everywhere: boolean): Promise<void> {
  let notice: string | null = null;
  try {
    if (everywhere || getSessionToken() !== '') {
      await callAdmin(everywhere ? '/admin/v1/sessions' : PATH, { method: 'DELETE' });
    }
  } catch (error) {
    const hasEnded = error instanceof ApiError && error.status === 401;
    if (!hasEnded)
      notice =
        'This browser has forgotten the session, but Sluice could not be told. It ends by itself after an hour.';
  }
  keepCredential(ADMIN_CREDENTIAL, '');
  keepSessionToken('', notice);
  forgetAnswers(queryClient);
}

/** Answers to whoever was signed in before are none for the next reader. What is shown now is asked again by its new key. */
function forgetAnswers(queryClient: QueryClient): void {
  queryClient.removeQueries({ type: 'inactive' });
}
