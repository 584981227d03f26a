import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface PlainLoadOptions {
  readonly url: string;
  readonly key: string;
  /** The body of each answer, which arrives in one piece; or the end of bodies that may arrive in several pieces. */
  readonly body: string | { readonly endsWith: string };
  readonly connections: number;
}

/** An answer in more pieces counts as unexpected. */
const MAX_PIECES = 100;

export interface PlainLoad {
  /** Sends this many requests. Resolves to the milliseconds that each took. */
  readonly send: (requests: number) => Promise<number[]>;
  readonly close: () => void;
}

/**
 * Requests over sockets that stay open, from this process. It reads of an answer only whether it is the right one: an
 * HTTP client spends its time on headers, and more of them would make it, not the server, slower.
 */
export async function openPlainLoad({ url, key, body, connections }: PlainLoadOptions): Promise<PlainLoad> {
  const { hostname, port, pathname, search } = new URL(url);
  const head = [`GET ${pathname}${search} HTTP/1.1`, `Host: ${hostname}:${port}`, `X-Api-Key: ${key}`];
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
  const isRight = answerTest(body);
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return {
    send: async (requests) => {
      const times: number[] = [];
      let left = requests;
      const sendAll = (socket: Socket) =>
        new Promise<void>((resolve, reject) => {
          let sentAt = 0;
          const sendNext = () => {
            if (left-- <= 0) {
              socket.off('data', take);
              resolve();
              return;
            }
            sentAt = performance.now();
            socket.write(request);
          };
          let pieces: Buffer[] = [];
          const take = (piece: Buffer) => {
            pieces.push(piece);
            const answer = pieces.length === 1 ? piece : Buffer.concat(pieces);
            if (!isRight(answer)) {
              if (typeof body !== 'string' && isOk(answer) && pieces.length < MAX_PIECES) return;
              reject(new Error(`${url} answered ${answer.toString('latin1')}`));
              return;
            }
            pieces = [];
            times.push(performance.now() - sentAt);
            sendNext();
          };
          socket.on('data', take).once('error', reject);
          sendNext();
        });
      await Promise.all(sockets.map(sendAll));
      for (const socket of sockets) socket.removeAllListeners('error');
      return times;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const OK = Buffer.from('HTTP/1.1 200 ');

function isOk(answer: Buffer): boolean {
  return OK.compare(answer, 0, OK.length) === 0;
}

function answerTest(body: PlainLoadOptions['body']): (answer: Buffer) => boolean {
  const end = Buffer.from(typeof body === 'string' ? `\r\n\r\n${body}` : body.endsWith);
  return (answer) => isOk(answer) && end.compare(answer, answer.length - end.length) === 0;
}
