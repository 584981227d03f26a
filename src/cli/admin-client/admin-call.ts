import { asRecord } from '../../chain/account-json.ts';
import type { Config } from '../../config/config.ts';
import { type PostLimits, sendJson } from '../../common/bounded-post.ts';
import { operatorCredentialPath, readOperatorCredential } from '../../data-folder/operator-credential.ts';
import { reachable } from '../../gateway/http/listen.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { sendPinned } from './pinned-request.ts';
import { ofRunningInstance } from './running-instance.ts';
import { formatForError } from '../../common/format-for-error.ts';

export interface AdminCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** After `/admin/v1/`. */
  readonly path: string;
  readonly body?: object;
}

/** What a command that asks the admin interface needs to know: where it is, and what opens it. */
export const ADMIN_SETTINGS = [
  'admin-host',
  'admin-port',
  'admin-tls-cert',
  'admin-tls-key',
  'admin-credential',
  'data-dir',
] as const;

/** Those of them that say where it is. */
export const ADMIN_PLACE = ['admin-port', 'admin-host'] as const;

export type AdminAddress = Pick<
  Config,
  'adminHost' | 'adminPort' | 'adminCredential' | 'dataDir' | 'transport'
>;

const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024 };
const NO_CONTENT = 204;
const UNAUTHORIZED = 401;

/**
 * Asks the running instance.
 * @param who refuses, as the message begins
 * @throws OperatorError when there is none, or it refuses
 */
export async function callAdmin(
  address: AdminAddress,
  { method, path, body }: AdminCall,
  who = 'the instance',
): Promise<Readonly<Record<string, unknown>>> {
  const url = adminUrl(address, path);
  const credential = credentialOf(address);
  const json = body === undefined ? null : JSON.stringify(body);
  const limits = {
    ...LIMITS,
    headers: credential === null ? {} : { authorization: `Bearer ${credential}` },
  };
  const { adminCertificate } = address.transport;
  const { status, text } = await ofRunningInstance(
    adminCertificate === null
      ? sendJson(url, method, json, limits)
      : sendPinned(
          url,
          { method, body: json, headers: limits.headers, certificateFile: adminCertificate },
          LIMITS,
        ),
    ADMIN_PLACE,
  );
  if (status === NO_CONTENT) return {};
  if (status === UNAUTHORIZED) throw notLetIn(who, address, credential);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new OperatorError(`${url.origin} answered HTTP ${status} with no JSON: ${formatForError(text)}`);
  }
  const answer = asRecord(parsed, `the answer of ${url.origin}`);
  if (status === 200) return answer;
  throw new OperatorError(`${who} refused: ${String(answer.error ?? answer.message ?? `HTTP ${status}`)}`);
}

/** Every page of a list, one after another. */
export async function* adminPages(
  address: AdminAddress,
  path: string,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let query = '';
  do {
    const page = await callAdmin(address, { method: 'GET', path: `${path}${query}` });
    yield page;
    query = typeof page.next === 'string' ? `?cursor=${encodeURIComponent(page.next)}` : '';
  } while (query !== '');
}

export function adminUrl({ adminHost, adminPort, transport }: AdminAddress, path: string): URL {
  const scheme = transport.adminCertificate === null ? 'http' : 'https';
  return new URL(`${scheme}://${reachable(adminHost)}:${adminPort}/admin/v1/${path}`);
}

/** The setting's, otherwise what the instance of the data folder keeps there; null: there is none. */
export function credentialOf({ adminCredential, dataDir }: AdminAddress): string | null {
  return adminCredential ?? readOperatorCredential(dataDir);
}

/** @param credential that was sent */
export function notLetIn(who: string, { dataDir }: AdminAddress, credential: string | null): OperatorError {
  const path = operatorCredentialPath(dataDir);
  return new OperatorError(
    credential === null
      ? `${who} needs a credential, and there is none at ${path}; give the instance's folder with --data-dir, or a credential with --admin-credential`
      : `${who} does not know the credential, or its time is over; give the instance's folder with --data-dir, or its credential or a member's token with --admin-credential`,
  );
}
