import { Type } from 'typebox';
import { beginSession, endAllSessions, endSession } from '../../../platform/sessions/sessions.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { toPrincipal } from '../access/access.ts';
import { formatForgottenCookies, formatSessionCookie, readSessionHalves } from '../access/session-cookie.ts';
import type { EnteredCredential, SignInCheck } from '../access/sign-in.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint, HeadedAnswer } from '../endpoint/admin-endpoint.ts';
import { describeCaller } from '../platform/describe-caller.ts';
import { NewSessionAnswer, SessionAnswer, SignInBody } from './session-schema.ts';

const SESSION = '/admin/v1/session';
const SET_COOKIE = 'set-cookie';

const signIn = defineAdminEndpoint({
  method: 'POST',
  path: SESSION,
  right: 'open',
  summary: 'Sign in: begin a session of this browser',
  description:
    'The answer sets a cookie and shows a page token, once. Requests of the session need both, and no other credential. A session ends when it is signed out, after 12 hours, after an hour without a request, and with the token or credential that it stands for. Programs send `authorization: Bearer` with each request instead.',
  body: SignInBody,
  responses: { 200: NewSessionAnswer },
  handle: async (signIn: SignInCheck, { body, actor, origin }) => {
    const { platform } = signIn;
    const { credential, name = null } = body;
    const holder = requireAccepted(await signIn.check(credential, name, actor.from, origin));
    const begun = unwrapResult(await beginSession(platform, holder, actor.from, readSessionHalves(origin)));
    const { cookie, pageToken, expiresAt } = begun;
    const seconds = Math.max(0, Math.ceil((expiresAt - platform.now()) / 1_000));
    return new HeadedAnswer(
      { [SET_COOKIE]: formatSessionCookie(origin, cookie, seconds) },
      { ...(await describeCaller(platform, toPrincipal(holder, begun))), expiresAt, pageToken },
    );
  },
});

const readSession = defineAdminEndpoint({
  method: 'GET',
  path: SESSION,
  right: 'account.read',
  summary: 'Who is signed in, and until when',
  responses: { 200: SessionAnswer },
  handle: async ({ platform }: SignInCheck, { requirePrincipal }) => {
    const principal = requirePrincipal();
    const expiresAt = principal.session?.expiresAt ?? null;
    return { ...(await describeCaller(platform, principal)), expiresAt };
  },
});

const signOut = defineAdminEndpoint({
  method: 'DELETE',
  path: SESSION,
  right: 'account.read',
  summary: 'Sign out: end the session of this request',
  responses: { 204: Type.Null() },
  handle: async ({ platform }: SignInCheck, { actor, requirePrincipal, origin }) => {
    const { session } = requirePrincipal();
    if (session === null)
      throw new RequestInvalid('this request has a credential of its own, and no session');
    unwrapResult(await endSession(platform, actor, session));
    return new HeadedAnswer({ [SET_COOKIE]: formatForgottenCookies(origin) }, null);
  },
});

const signOutEverywhere = defineAdminEndpoint({
  method: 'DELETE',
  path: '/admin/v1/sessions',
  right: 'account.read',
  summary: 'Sign out everywhere: end all sessions of the caller',
  description:
    'Of a member: the member’s sessions. Of the operator: all sessions that were begun with the operator’s credential, whoever began them.',
  responses: { 200: Type.Object({ ended: Type.Integer({ description: 'How many sessions there were.' }) }) },
  handle: async (signIn: SignInCheck, { actor, requirePrincipal, origin }) => {
    const ended = unwrapResult(await endAllSessions(signIn.platform, actor, requirePrincipal()));
    return new HeadedAnswer({ [SET_COOKIE]: formatForgottenCookies(origin) }, { ended });
  },
});

/** Signing in and out. */
export const SESSION_ENDPOINTS = [signIn, readSession, signOut, signOutEverywhere];

/** @throws RequestInvalid with 401 or 429 */
function requireAccepted(entered: EnteredCredential) {
  if (entered.kind === 'accepted') return entered.holder;
  if (entered.kind === 'unknown') {
    throw new RequestInvalid(
      'This is neither the operator’s credential nor a member’s token that is valid',
      401,
    );
  }
  throw new RequestInvalid('Too many attempts to sign in; wait a minute and try again', 429);
}
