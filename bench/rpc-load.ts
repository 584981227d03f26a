import { connect, type Socket } from 'node:net';

/** What the bench asks of its load process: to post every body to the port, over so many connections at once. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly bodies: readonly string[];
}

/** What came of it. Answers are told apart only by whether they are results. */
export interface LoadReport {
  readonly milliseconds: number;
  readonly results: number;
  readonly firstFailure: string | null;
  /** Milliseconds from each request to its answer, sorted. */
  readonly latencies: readonly number[];
}

/** Runs in a process of its own, so that making the load does not take time from the server. */
process.on('message', (order: LoadOrder) => {
  void run(order).then((report) => process.send?.(report));
});

async function run({ port, connections, bodies }: LoadOrder): Promise<LoadReport> {
  const requests = bodies.map(requestOf);
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
        if (answer.includes('"result":')) results++;
        else firstFailure ??= answer;
      }
      socket.destroy();
    }),
  );
  const milliseconds = performance.now() - start;
  return { milliseconds, results, firstFailure, latencies: latencies.sort((left, right) => left - right) };
}

function requestOf(body: string): Buffer {
  const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
  return Buffer.from(`${head}\r\n\r\n${body}`);
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
