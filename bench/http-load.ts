import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';

/** Marks the forked process, in contrast to one that only imports this file. */
const LOAD = 'load';

/** The order to the load process: to send every request to the port over this many connections. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  /** Whole HTTP/1.1 requests. */
  readonly requests: readonly string[];
  /** A text that every expected answer contains. */
  readonly success: string;
  /** Milliseconds between the beginnings of two requests at least. Default: none. */
  readonly everyMs?: number;
}

/** The result. Answers are only counted as expected or unexpected. */
export interface LoadReport {
  readonly milliseconds: number;
  readonly results: number;
  readonly firstFailure: string | null;
  /** Milliseconds from each request to its answer, sorted. */
  readonly latencies: readonly number[];
}

/** A separate process that sends requests, so that generating the load takes no time from the server. */
export class HttpLoad {
  readonly #process: ChildProcess = fork(new URL(import.meta.url), [LOAD]);

  /** @throws when an answer was unexpected */
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

async function run({ port, connections, everyMs = 0, ...order }: LoadOrder): Promise<LoadReport> {
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
        const early = start + index * everyMs - performance.now();
        if (early > 0) await pass(early);
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

/** Sends one request and reads its whole answer, whose length the server states. */
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

/** Returns the number of missing bytes of the body; null while the head is incomplete. */
function missingAfterHead(received: Buffer): number | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  return Number(length) - (received.length - end - 4);
}
