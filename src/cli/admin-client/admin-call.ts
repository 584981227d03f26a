import { requireRecord } from '../../chain/records/account-json.ts';
import type { Config } from '../../config/config.ts';
import { type PostLimits, sendJson } from '../../common/bounded-post.ts';
import { getOperatorCredentialPath, readOperatorCredential } from '../../data-folder/operator-credential.ts';
import { toReachableHost } from '../../gateway/http/listen.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { sendPinned } from './pinned-request.ts';
import { awaitInstance } from './running-instance.ts';
import { formatForError } from '../../common/format-for-error.ts';

export interface AdminCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path after `/admin/v1/`. */
  readonly path: string;
  readonly body?: object;
  /** The maximum length of the answer in bytes. Default: 4 MiB. */
  readonly maxBytes?: number;
}

/** The settings of commands that call the admin interface: its address, and the credential. */
export const ADMIN_SETTINGS = [
  'admin-host',
  'admin-port',
  'admin-tls-cert',
  'admin-tls-key',
  'admin-credential',
  'data-dir',
] as const;

/** The settings with the address of the admin interface. */
export const ADMIN_PLACE = ['admin-port', 'admin-host'] as const;

export type AdminAddress = Pick<
  Config,
  'adminHost' | 'adminPort' | 'adminCredential' | 'dataDir' | 'transport'
>;

const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024 };
const NO_CONTENT = 204;
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;

/**
 * Calls the admin interface of a running instance.
 *
 * @param who - The subject of error messages.
 * @returns The body of the answer; an empty object for 204.
 * @throws OperatorError when no instance can be reached, or it refuses.
 */
export async function callAdmin(
  address: AdminAddress,
  call: AdminCall,
  who = 'the instance',
): Promise<Readonly<Record<string, unknown>>> {
  const sent = await sendAdminCall(address, call);
  return parseAdminAnswer(address, sent, who);
}

/**
 * Asks the admin interface of a running instance for one thing. Returns null if it does not exist.
 *
 * @throws OperatorError when no instance can be reached, or it refuses.
 */
export async function findByAdmin(
  address: AdminAddress,
  path: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const sent = await sendAdminCall(address, { method: 'GET', path });
  return sent.answer.status === NOT_FOUND ? null : parseAdminAnswer(address, sent, 'the instance');
}

interface SentAdminCall {
  readonly url: URL;
  readonly credential: string | null;
  readonly answer: AdminCallAnswer;
}

async function sendAdminCall(
  address: AdminAddress,
  { method, path, body, maxBytes = LIMITS.maxBytes }: AdminCall,
): Promise<SentAdminCall> {
  const url = createAdminUrl(address, path);
  const credential = findAdminCredential(address);
  const json = body === undefined ? null : JSON.stringify(body);
  const limits = {
    timeoutMs: LIMITS.timeoutMs,
    maxBytes,
    headers: credential === null ? {} : { authorization: `Bearer ${credential}` },
  };
  const { adminCertificate } = address.transport;
  const answer = await awaitInstance(
    adminCertificate === null
      ? sendJson(url, method, json, limits)
      : sendPinned(
          url,
          { method, body: json, headers: limits.headers, certificateFile: adminCertificate },
          limits,
        ),
    ADMIN_PLACE,
  );
  return { url, credential, answer };
}

function parseAdminAnswer(
  address: AdminAddress,
  { url, credential, answer }: SentAdminCall,
  who: string,
): Readonly<Record<string, unknown>> {
  if (answer.status === NO_CONTENT) return {};
  if (answer.status === 200) return parseAnswerRecord(url, answer);
  throw toAdminError(url, answer, address, credential, who);
}

interface AdminCallAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Returns the error for a refusal of the admin interface.
 *
 * @param answer - An answer of the admin interface whose status is not 200.
 * @param who - The subject of the message.
 */
export function toAdminError(
  url: URL,
  { status, text }: AdminCallAnswer,
  address: AdminAddress,
  credential: string | null,
  who = 'the instance',
): OperatorError {
  if (status === UNAUTHORIZED) return createUnauthorizedError(who, address, credential);
  const { error, message } = parseAnswerRecord(url, { status, text });
  return new OperatorError(`${who} refused: ${String(error ?? message ?? `HTTP ${status}`)}`);
}

/** @throws OperatorError if the answer is not a JSON object. */
function parseAnswerRecord(
  { origin }: URL,
  { status, text }: AdminCallAnswer,
): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new OperatorError(`${origin} answered HTTP ${status} without JSON: ${formatForError(text)}`);
  }
  return requireRecord(parsed, `the answer of ${origin}`);
}

/** Reads a list page by page. */
export async function* readAdminPages(
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

export function createAdminUrl({ adminHost, adminPort, transport }: AdminAddress, path: string): URL {
  const scheme = transport.adminCertificate === null ? 'http' : 'https';
  return new URL(`${scheme}://${toReachableHost(adminHost)}:${adminPort}/admin/v1/${path}`);
}

/** Returns the credential of the setting, or else the one in the data folder. Null when there is none. */
export function findAdminCredential({ adminCredential, dataDir }: AdminAddress): string | null {
  return adminCredential ?? readOperatorCredential(dataDir);
}

/**
 * Returns the error for an answer 401.
 *
 * @param who - The subject of the message.
 * @param credential - The credential that was sent.
 */
export function createUnauthorizedError(
  who: string,
  { dataDir }: AdminAddress,
  credential: string | null,
): OperatorError {
  const path = getOperatorCredentialPath(dataDir);
  return new OperatorError(
    credential === null
      ? `${who} needs a credential, and there is none at ${path}; give the instance's folder with --data-dir, or a credential with --admin-credential`
      : `${who} does not know the credential, or it has expired; give the instance's folder with --data-dir, or its credential or a member's token with --admin-credential`,
  );
}
