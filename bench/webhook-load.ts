import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The bench's order to this process, as JSON in the first argument. */
export interface WebhookLoad {
  readonly makers: readonly LoadedMaker[];
}

export interface LoadedMaker {
  readonly address: string;
  readonly tokens: readonly string[];
  /** Milliseconds from a request for a quote to its answer. */
  readonly delayMs: number;
  /** What the maker does with a request for a quote. */
  readonly conduct: Conduct;
}

export type Conduct = 'answers' | 'hangs' | 'floods' | 'resets' | 'garbage';

/** The message that this process sends when its makers listen. */
export interface Listening {
  readonly urls: readonly string[];
}

/** For each order, by its request id: the milliseconds of the slowest maker, from the request to the answer. */
export interface Slowest {
  readonly slowest: readonly (readonly [requestId: string, ms: number])[];
}

const HEAD_END = Buffer.from('\r\n\r\n');
const FLOOD = Buffer.alloc(65_536, 'x');

/** Makers over bare sockets, so that they use little of the machine that they share with what they load. */
function serve(maker: LoadedMaker, onAnswered: (requestId: string, ms: number) => void): Promise<Server> {
  const server = createServer((socket) => {
    let pending: Buffer = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.setNoDelay();
    socket.on('data', (chunk: Buffer) => {
      const askedAt = performance.now();
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (;;) {
        const at = pending.indexOf(HEAD_END);
        if (at < 0) return;
        const head = pending.toString('latin1', 0, at);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        const end = at + HEAD_END.length + length;
        if (pending.length < end) return;
        const body = pending.toString('utf8', at + HEAD_END.length, end);
        pending = pending.subarray(end);
        if (head.startsWith('GET')) write(socket, JSON.stringify(maker.tokens));
        else behave(maker, socket, body, (requestId) => onAnswered(requestId, performance.now() - askedAt));
      }
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function behave(
  maker: LoadedMaker,
  socket: Socket,
  body: string,
  onAnswered: (requestId: string) => void,
): void {
  switch (maker.conduct) {
    case 'hangs':
      return;
    case 'resets':
      socket.resetAndDestroy();
      return;
    case 'garbage':
      write(socket, '<html>');
      return;
    case 'floods':
      flood(socket);
      return;
    case 'answers':
      setTimeout(() => {
        const asked = JSON.parse(body) as Record<string, string>;
        write(socket, quoteOf(maker, asked));
        onAnswered(asked.requestId ?? '');
      }, maker.delayMs);
  }
}

function flood(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\n\r\n');
  const more = () => {
    while (!socket.destroyed && socket.write(FLOOD));
  };
  socket.on('drain', more);
  more();
}

/** Quotes 400 USDC for one SOL, which is more than the pools pay. */
function quoteOf({ address }: LoadedMaker, asked: Record<string, string>): string {
  const { requestId, quoteId, tokenIn, tokenOut, quoteType, protocol, taker, amount = '0' } = asked;
  const amountOut = String((BigInt(amount) * 400n) / 1_000n);
  const echoed = { requestId, quoteId, tokenIn, tokenOut, quoteType, protocol, taker };
  return JSON.stringify({ ...echoed, amountIn: amount, amountOut, maker: address });
}

function write(socket: Socket, body: string): void {
  if (socket.destroyed) return;
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  socket.write(head + body);
}

async function run({ makers }: WebhookLoad): Promise<void> {
  const slowest = new Map<string, number>();
  const note = (requestId: string, ms: number) =>
    slowest.set(requestId, Math.max(slowest.get(requestId) ?? 0, ms));
  const servers = await Promise.all(makers.map((maker) => serve(maker, note)));
  process.on('message', () => {
    process.send?.({ slowest: [...slowest] } satisfies Slowest);
    slowest.clear();
  });
  process.on('disconnect', () => process.exit(0));
  const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  process.send?.({ urls } satisfies Listening);
}

const [order] = process.argv.slice(2);
if (order !== undefined) await run(JSON.parse(order) as WebhookLoad);
