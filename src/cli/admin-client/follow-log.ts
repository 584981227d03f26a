import type { IncomingMessage } from 'node:http';
import type { Static } from 'typebox';
import { OperatorError } from '../../common/operator-error.ts';
import { LiveLogLine } from '../../gateway/admin/traffic/traffic-schema.ts';
import {
  type AdminAddress,
  ADMIN_PLACE,
  createAdminUrl,
  findAdminCredential,
  toAdminError,
} from './admin-call.ts';
import { openAnswer } from './pinned-request.ts';
import { checkAnswer } from './platform-answers.ts';
import { awaitInstance } from './running-instance.ts';

/** The maximum length of a line. Lines contain a limited number of entries and are shorter. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;
/** The idle time after which TCP keep-alives check whether the instance still has the connection. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Follows the log of a running instance. The next line is read when the caller has consumed the one before.
 *
 * @param path - The path after `/admin/v1/`.
 * @param signal - Ends the iteration.
 * @throws OperatorError when no instance can be reached, it refuses, or it ends the connection.
 */
export async function* followLog(
  address: AdminAddress,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Static<typeof LiveLogLine>> {
  const url = createAdminUrl(address, path);
  const credential = findAdminCredential(address);
  const asked = openAnswer(url, {
    method: 'GET',
    body: null,
    headers: credential === null ? {} : { authorization: `Bearer ${credential}` },
    certificateFile: address.transport.adminCertificate,
    signal,
  });
  const opened = await awaitInstance(asked, ADMIN_PLACE).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (opened === null) return;
  const { answer, close } = opened;
  answer.socket.setKeepAlive(true, KEEP_ALIVE_MS);
  try {
    if (answer.statusCode !== 200) {
      const refused = await readAnswerText(answer);
      throw toAdminError(url, { status: answer.statusCode ?? 0, text: refused }, address, credential);
    }
    for await (const line of readLines(answer)) yield checkAnswer(LiveLogLine, JSON.parse(line));
    throw new OperatorError(`${url.origin} ended the connection; see what is missing with sluice log list`);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`the connection to ${url.origin} was lost: ${reason}`);
  } finally {
    close();
  }
}

async function readAnswerText(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text = `${text}${chunk}`.slice(0, MAX_REFUSAL_BYTES);
  }
  return text;
}

async function* readLines(answer: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    rest += chunk;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_BYTES) throw new Error(`a line is longer than ${MAX_LINE_BYTES} bytes`);
    yield* lines;
  }
}
