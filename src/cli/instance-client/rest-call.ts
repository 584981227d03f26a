import { readFileSync } from 'node:fs';
import { requireRecord } from '../../chain/records/account-json.ts';
import { type PostLimits, sendJson } from '../../common/bounded-post.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { OperatorError } from '../../common/operator-error.ts';
import type { Config } from '../../config/config.ts';
import { readInstanceUrls } from '../../data-folder/instance-file.ts';
import { sendPinned } from '../admin-client/pinned-request.ts';
import { resolveInstanceUrl } from '../admin-client/point-at-instance.ts';
import { awaitInstance } from '../admin-client/running-instance.ts';
import type { CommandFlag } from '../command-line/command.ts';
import { HTTP_URL, parseUrlFlag } from '../command-line/http-url.ts';

const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 };
const UNAUTHORIZED = 401;

/** The settings of commands that call the REST interface. */
export const REST_SETTINGS = ['host', 'rest-port', 'tls-cert', 'tls-key', 'data-dir'] as const;

export const KEY_FILE_FLAG: CommandFlag = {
  name: 'key-file',
  allowed: 'the path of a file',
  description: 'File with an API key, which the command sends. Default: no key is sent.',
};

export const URL_FLAG: CommandFlag = {
  name: 'url',
  allowed: HTTP_URL,
  description: 'Where the REST interface of the instance is. Default: at rest-port of this machine.',
};

export interface RestCall {
  /** The path with its query. */
  readonly path: string;
  /** Sent with POST. Null sends a GET. */
  readonly body: object | null;
  /** The API key; null sends none. */
  readonly key: string | null;
  /** Where the REST interface is, instead of where the settings say. A certificate is then verified as in a browser. */
  readonly url?: string | null;
}

/**
 * Reads an API key from a file.
 *
 * @throws OperatorError when the file cannot be read, or does not contain a key.
 */
export function readApiKey(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`the file of --key-file cannot be read: ${reason}`);
  }
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw new OperatorError(
    `the file of --key-file, ${path}, holds ${text.length} characters, but a key is 1 to 200 visible ASCII characters`,
  );
}

/**
 * Calls the REST interface of a running instance.
 *
 * @throws OperatorError when no instance can be reached, or it refuses.
 */
export async function callRest(
  { host, restPort, dataDir, transport: { restCertificate } }: Config,
  { path, body, key, url: given = null }: RestCall,
): Promise<Readonly<Record<string, unknown>>> {
  const pinned = given === null ? restCertificate : null;
  // With a certificate to trust, a key is never sent without TLS, whatever the instance wrote.
  const written = pinned === null ? readInstanceUrls(dataDir)?.rest : undefined;
  const place = { host, port: restPort };
  const url = new URL(
    path,
    given === null ? resolveInstanceUrl(written, pinned, place) : parseUrlFlag(URL_FLAG, given),
  );
  const headers = key === null ? {} : { 'x-api-key': key };
  const method = body === null ? 'GET' : 'POST';
  const json = body === null ? null : JSON.stringify(body);
  const asked =
    pinned === null
      ? sendJson(url, method, json, { ...LIMITS, headers })
      : sendPinned(url, { method, body: json, headers, certificateFile: pinned }, LIMITS);
  const answer = await (given === null ? awaitInstance(asked, ['rest-port', 'host', 'tls-cert']) : asked);
  return parseRestAnswer(url, answer, key);
}

function parseRestAnswer(
  { origin }: URL,
  { status, text }: { readonly status: number; readonly text: string },
  key: string | null,
): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new OperatorError(`${origin} answered HTTP ${status} without JSON: ${formatForError(text)}`);
  }
  const answer = requireRecord(parsed, `the answer of ${origin}`);
  if (status === 200) return answer;
  if (status === UNAUTHORIZED) {
    throw new OperatorError(
      key === null
        ? 'the instance wants an API key; give the file of one with --key-file'
        : 'the instance does not know the API key of --key-file, or it was revoked; make one with sluice key create',
    );
  }
  const reason = String(answer.error ?? answer.message ?? `HTTP ${status}`);
  // The instance may be a stranger's, and a second line would look like one of this command.
  throw new OperatorError(`the instance refused: ${reason.replaceAll(/\p{C}/gu, '\uFFFD')}`);
}
