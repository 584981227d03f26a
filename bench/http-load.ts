import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Tells the forked process from one that only imports this. */
const LOAD = 'load';

/** What a bench asks of its load process: to send every request to the port, over so many connections at once. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  /** Whole HTTP/1.1 requests. */
  readonly requests: readonly string[];
  /** What an answer holds somewhere if it is one of those wanted. */
  readonly success: string;
}

/** What came of it. Answers are only counted as the wanted ones or as others. */
export interface LoadReport {
  readonly milliseconds: number;
  readonly results: number;
  readonly firstFailure: string | null;
  /** Milliseconds from each request to its answer, sorted. */
  readonly latencies: readonly number[];
}

/** A process that sends the requests that it is given, so that making the load does not take time from the server. */
export class HttpLoad {
  readonly #process: ChildProcess = fork(new URL(import.meta.url), [LOAD]);

  /** @throws when any answer was not one of those wanted */
  async send(order: LoadOrder): Promise<LoadReport> {
    this.#process.send(order);
    const [report] = (await once(this.#process, 'message')) as [LoadReport];
    if (report.results !== order.requests.length) {
      throw new Error(`${order.requests.length - report.results} requests failed: ${report.firstFailure}`);
    }
    return report;
  }

  close(): void {
    this.#process.kill();
  }
}

if (process.argv[2] === LOAD) {
  process.on('message', (order: LoadOrder) => {
    void run(order).then((report) => process.send?.(report));
  });
}

async function run({ port, connections, ...order }: LoadOrder): Promise<LoadReport> {
  const requests = order.requests.map((request) => Buffer.from(request));
  const latencies: number[] = [];
  let next = 0;
  let results = 0;
  let firstFailure: string | null = null;
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const start = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      for (let index = next++; index < requests.length; index = next++) {
        const sent = performance.now();
        const answer = await exchange(socket, requests[index] ?? Buffer.alloc(0));
        latencies.push(performance.now() - sent);
        if (answer.includes(order.success)) results++;
        else firstFailure ??= answer;
      }
      socket.destroy();
    }),
  );
  const milliseconds = performance.now() - start;
  return { milliseconds, results, firstFailure, latencies: latencies.sort((left, right) => left - right) };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** One request and its whole answer: the server says its length. */
function exchange(socket: Socket, request: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let missing: number | null = null;
    const done = () => {
      socket.off('data', onData);
      socket.off('error', reject);
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      missing = missing === null ? missingAfterHead(Buffer.concat(chunks)) : missing - chunk.length;
      if (missing === 0) done();
    };
    socket.on('data', onData);
    socket.on('error', reject);
    socket.write(request);
  });
}

/** Bytes of the body that are still to come; null while the head is not complete. */
function missingAfterHead(received: Buffer): number | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  return Number(length) - (received.length - end - 4);
}
