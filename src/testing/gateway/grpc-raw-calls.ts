import { type ClientHttp2Session, connect, constants } from 'node:http2';

/** How a call ended: with a gRPC status, with the HTTP status of an answer that is not gRPC, or without either. */
export type RawEnd =
  | { readonly kind: 'status'; readonly code: number; readonly message: string }
  | { readonly kind: 'http'; readonly status: number }
  | { readonly kind: 'reset'; readonly code: number };

export interface RawCall {
  readonly path: string;
  readonly key?: string;
  /** The bytes after the headers. */
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the reading at the first message; the call continues until its client leaves. */
  readonly isEndless?: boolean;
}

/** Makes calls that no gRPC library would make, over one connection. */
export class RawCaller {
  readonly #session: ClientHttp2Session;

  constructor(port: number) {
    this.#session = connect(`http://127.0.0.1:${port}`);
    this.#session.on('error', () => undefined);
  }

  call({ path, key, body, headers = {}, isEndless = false }: RawCall): Promise<RawEnd> {
    return new Promise((resolve) => {
      const stream = this.#session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...headers,
      });
      const take = (fields: Record<string, unknown>) => {
        const code = fields['grpc-status'];
        if (code === undefined) return;
        resolve({ kind: 'status', code: Number(code), message: String(fields['grpc-message'] ?? '') });
      };
      stream.on('response', (fields) => {
        if (fields[':status'] !== 200) resolve({ kind: 'http', status: Number(fields[':status']) });
        take(fields);
      });
      stream.on('trailers', take);
      stream.on('data', () => {
        if (!isEndless) return;
        resolve({ kind: 'status', code: 0, message: '' });
        stream.close(constants.NGHTTP2_CANCEL);
      });
      stream.on('error', () => undefined);
      stream.on('close', () => resolve({ kind: 'reset', code: stream.rstCode ?? 0 }));
      stream.end(body);
    });
  }

  close(): void {
    this.#session.destroy();
  }
}

/** Encodes messages as they follow each other on the wire, each preceded by its length. */
export function frameMessages(messages: readonly Uint8Array[], { isCompressed = false } = {}): Buffer {
  const frames = messages.map((message) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(isCompressed ? 1 : 0, 0);
    head.writeUInt32BE(message.length, 1);
    return Buffer.concat([head, message]);
  });
  return Buffer.concat(frames);
}
