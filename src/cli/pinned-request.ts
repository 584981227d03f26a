import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type TLSSocket } from 'node:tls';
import type { PostLimits } from '../bounded-post.ts';
import { OperatorError } from '../operator-error.ts';

export interface PinnedRequest {
  readonly method: string;
  /** Null: none. */
  readonly body: string | null;
  readonly limits: PostLimits;
  /** PEM file with the only certificate that the server may show, whoever signed it and whatever name it is for. */
  readonly certificateFile: string;
}

/**
 * Sends JSON to a server that is known by its certificate and not by a name, as an instance on loopback is.
 * @throws OperatorError when no answer comes, one that is too long, or the certificate is another
 */
export async function sendPinned(
  url: URL,
  { method, body, limits, certificateFile }: PinnedRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const pinned = new X509Certificate(readFileSync(certificateFile));
  const signal = limits.signal ?? AbortSignal.timeout(limits.timeoutMs);
  // Whose certificate it is, is checked below, before anything is sent.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(url.port), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal });
    if (socket.getPeerX509Certificate()?.raw.equals(pinned.raw) !== true) {
      throw new OperatorError(
        `${url.origin} shows another certificate than the first of ${certificateFile}; give the instance's with --admin-tls-cert`,
      );
    }
    return await exchange(socket, url, { method, body, limits, signal });
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${url.origin} cannot be reached: ${reason}`);
  } finally {
    socket.destroy();
  }
}

async function exchange(
  socket: TLSSocket,
  url: URL,
  { method, body, limits, signal }: Omit<PinnedRequest, 'certificateFile'> & { readonly signal: AbortSignal },
): Promise<{ readonly status: number; readonly text: string }> {
  const sent = request({
    createConnection: () => socket,
    method,
    path: url.pathname + url.search,
    signal,
    headers: {
      host: url.host,
      ...limits.headers,
      ...(body === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  });
  sent.end(body ?? undefined);
  const [response] = await once(sent, 'response', { signal });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > limits.maxBytes) {
      throw new OperatorError(
        `the answer of ${url.origin} is longer than ${limits.maxBytes} bytes; ask for less at a time`,
      );
    }
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks, length).toString('utf8') };
}
