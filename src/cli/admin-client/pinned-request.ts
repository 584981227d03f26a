import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type PostLimits, Unreachable } from '../../common/bounded-post.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { portOf } from './point-at-instance.ts';

export interface PinnedRequest {
  readonly method: string;
  /** Null when the request has no body. */
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The PEM file with the only certificate that the server may have, whatever its issuer and name. Null for plain HTTP. */
  readonly certificateFile: string | null;
  readonly signal: AbortSignal;
}

/**
 * Sends a request to a server that is identified by its certificate instead of its name, such as an instance on loopback.
 * `close` ends the connection.
 *
 * @throws OperatorError when no answer begins, or the server shows another certificate.
 */
export async function openAnswer(
  url: URL,
  asked: PinnedRequest,
): Promise<{ readonly answer: IncomingMessage; readonly close: () => void }> {
  const { certificateFile, signal } = asked;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = portOf(url.href);
  // The certificate is compared below, before anything is sent.
  const socket =
    certificateFile === null
      ? connect({ host, port })
      : connectTls({ host, port, rejectUnauthorized: false });
  try {
    await once(socket, certificateFile === null ? 'connect' : 'secureConnect', { signal });
    if (certificateFile !== null && 'getPeerX509Certificate' in socket) {
      checkCertificate(socket.getPeerX509Certificate(), certificateFile, url);
    }
    return { answer: await exchange(socket, url, asked), close: () => void socket.destroy() };
  } catch (error) {
    socket.destroy();
    if (error instanceof OperatorError) throw error;
    throw unreachable(url, error);
  }
}

/**
 * Sends JSON and reads the whole answer.
 *
 * @throws OperatorError when no answer comes, it is too long, or the server shows another certificate.
 */
export async function sendPinned(
  url: URL,
  asked: Omit<PinnedRequest, 'signal'>,
  { timeoutMs, maxBytes }: PostLimits,
): Promise<{ readonly status: number; readonly text: string }> {
  const { answer, close } = await openAnswer(url, { ...asked, signal: AbortSignal.timeout(timeoutMs) });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > maxBytes) {
        throw new OperatorError(
          `the answer of ${url.origin} is longer than ${maxBytes} bytes; ask for less at a time`,
        );
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof OperatorError ? error : unreachable(url, error);
  } finally {
    close();
  }
  return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks, length).toString('utf8') };
}

function checkCertificate(shown: X509Certificate | undefined, file: string, url: URL): void {
  const pinned = new X509Certificate(readFileSync(file));
  if (shown?.raw.equals(pinned.raw) === true) return;
  throw new OperatorError(
    `${url.origin} shows another certificate than the first of ${file}; give that of the port, with --admin-tls-cert for the admin port and --tls-cert for the REST port`,
  );
}

async function exchange(
  socket: Socket,
  url: URL,
  { method, body, headers, signal }: PinnedRequest,
): Promise<IncomingMessage> {
  const sent = request({
    createConnection: () => socket,
    method,
    path: url.pathname + url.search,
    signal,
    headers: {
      host: url.host,
      ...headers,
      ...(body === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  });
  sent.end(body ?? undefined);
  const [answer] = (await once(sent, 'response', { signal })) as [IncomingMessage];
  return answer;
}

function unreachable(url: URL, error: unknown): Unreachable {
  const reason = error instanceof Error ? error.message : String(error);
  return new Unreachable(`${url.origin} cannot be reached: ${reason}`);
}
