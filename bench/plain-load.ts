import { connect } from 'node:net';

export interface PlainLoad {
  readonly url: string;
  readonly key: string;
  /** What each answer must end with. */
  readonly body: string;
  readonly requests: number;
  readonly connections: number;
}

/**
 * Sends so many requests over so many sockets, from this process; resolves to the milliseconds that each took. It reads
 * of an answer only whether it is the right one: an HTTP client spends its time on headers, and more of them would make
 * it, not the server, slower. An answer must be short enough to come at once.
 */
export async function plainTimesOf({ url, key, body, requests, connections }: PlainLoad): Promise<number[]> {
  const { hostname, port, pathname } = new URL(url);
  const head = [`GET ${pathname} HTTP/1.1`, `Host: ${hostname}:${port}`, `X-Api-Key: ${key}`];
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
  const isRight = answerTest(body);
  const times: number[] = [];
  let left = requests;
  const runOne = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let sentAt = 0;
      const sendNext = () => {
        if (left-- <= 0) {
          socket.destroy();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on('connect', sendNext).on('error', reject);
      socket.on('data', (answer: Buffer) => {
        times.push(performance.now() - sentAt);
        if (isRight(answer)) sendNext();
        else reject(new Error(`${url} answered ${answer.toString('latin1')}`));
      });
    });
  await Promise.all(Array.from({ length: connections }, runOne));
  return times;
}

function answerTest(body: string): (answer: Buffer) => boolean {
  const begin = Buffer.from('HTTP/1.1 200 ');
  const end = Buffer.from(`\r\n\r\n${body}`);
  return (answer) =>
    begin.compare(answer, 0, begin.length) === 0 && end.compare(answer, answer.length - end.length) === 0;
}
