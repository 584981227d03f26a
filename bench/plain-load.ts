import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface PlainLoadOptions {
  readonly url: string;
  readonly key: string;
  /** What each answer must end with. */
  readonly body: string;
  readonly connections: number;
}

export interface PlainLoad {
  /** Resolves to the milliseconds that each of so many requests took. */
  readonly send: (requests: number) => Promise<number[]>;
  readonly close: () => void;
}

/**
 * Requests over sockets that stay open, from this process. It reads of an answer only whether it is the right one: an
 * HTTP client spends its time on headers, and more of them would make it, not the server, slower. An answer must be
 * short enough to come at once.
 */
export async function openPlainLoad({ url, key, body, connections }: PlainLoadOptions): Promise<PlainLoad> {
  const { hostname, port, pathname } = new URL(url);
  const head = [`GET ${pathname} HTTP/1.1`, `Host: ${hostname}:${port}`, `X-Api-Key: ${key}`];
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
          const take = (answer: Buffer) => {
            times.push(performance.now() - sentAt);
            if (isRight(answer)) sendNext();
            else reject(new Error(`${url} answered ${answer.toString('latin1')}`));
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

function answerTest(body: string): (answer: Buffer) => boolean {
  const begin = Buffer.from('HTTP/1.1 200 ');
  const end = Buffer.from(`\r\n\r\n${body}`);
  return (answer) =>
    begin.compare(answer, 0, begin.length) === 0 && end.compare(answer, answer.length - end.length) === 0;
}
