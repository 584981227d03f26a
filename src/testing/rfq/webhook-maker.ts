import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Chain } from '../../chain/chain.ts';
import type { WebhookEntry, WebhookFillRecord, WebhookFillRecords, WebhookStore } from '../../rfq/index.ts';
import { NEW_WEBHOOK } from '../../rfq/webhooks/conduct.ts';
import type { WebhookRecord } from '../../rfq/webhooks/webhook.ts';
import { decodeOrder, encodeOrder, type WebhookOrder } from '../../swaps/orders/stored-order.ts';
import { readResult, writeResult } from '../../swaps/orders/stored-result.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { addSignatures, parseTransaction } from '../../solana/messages/transaction.ts';

export interface WebhookMakerRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the maker does with a request. It returns an `Answered`, or undefined when it answers itself, or never will. */
export type Answering = (asked: WebhookMakerRequest, response: ServerResponse) => unknown;

interface Answered {
  /** Default 200. */
  readonly status?: number;
  readonly body: unknown;
}

export interface TestWebhookOptions {
  readonly keypair: Keypair;
  readonly tokens: readonly string[];
  /** Output atoms for a million input atoms. */
  readonly rate: bigint;
  /** Where accepted swaps are landed. */
  readonly chain: Pick<Chain, 'send'>;
}

/** A maker with a webhook on a real socket, which quotes at one rate and lands what it is sent, unless a test changes that. */
export class TestWebhook {
  readonly asked: WebhookMakerRequest[] = [];
  readonly keypair: Keypair;
  rate: bigint;
  onQuote: Answering;
  onSwap: Answering;
  onTokens: Answering;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #chain: Pick<Chain, 'send'>;
  /** How many connections were made. */
  connections = 0;

  private constructor({ keypair, tokens, rate, chain }: TestWebhookOptions) {
    this.keypair = keypair;
    this.rate = rate;
    this.#chain = chain;
    this.onQuote = ({ body }) => ({ body: this.quote(body) });
    this.onSwap = async (asked, response) => {
      const { quoteId } = asked.body;
      await this.land(asked);
      answer(response, 200, { quoteId, state: 'accepted' });
    };
    this.onTokens = () => ({ body: tokens });
    this.#server = createServer((request, response) => void this.#handle(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => {});
    });
  }

  static async open(options: TestWebhookOptions): Promise<TestWebhook> {
    const webhook = new TestWebhook(options);
    await new Promise<void>((resolve) => webhook.#server.listen(0, '127.0.0.1', resolve));
    return webhook;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/maker`;
  }

  /** The quotes or swaps that were asked for. */
  of(path: '/quote' | '/swap' | '/tokens'): readonly WebhookMakerRequest[] {
    return this.asked.filter((each) => each.path === `/maker${path}`);
  }

  /** The answer of an honest maker. */
  quote(body: WebhookMakerRequest['body']): Record<string, unknown> {
    const { requestId, quoteId, tokenIn, tokenOut, quoteType, protocol, taker, receiver } = body;
    const amount = BigInt(String(body.amount));
    const million = 1_000_000n;
    const [amountIn, amountOut] =
      quoteType === 'exactIn'
        ? [amount, (amount * this.rate) / million]
        : [(amount * million + this.rate - 1n) / this.rate, amount];
    const echoed = { requestId, quoteId, tokenIn, tokenOut, quoteType, protocol, taker, receiver };
    return {
      ...echoed,
      amountIn: String(amountIn),
      amountOut: String(amountOut),
      maker: this.keypair.address,
      prioritizationFeeToUse: 1_000,
    };
  }

  /** Signs the swap and lands it. */
  async land({ body }: WebhookMakerRequest): Promise<string> {
    const wire = Buffer.from(String(body.transaction), 'base64');
    const signed = addSignatures(parseTransaction(new Uint8Array(wire)), [this.keypair]);
    return this.#chain.send(signed, { skipPreflight: true });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = parseRequestBody(text);
    if (body === null) return answer(response, 400, { message: 'the body is no JSON' });
    const asked = { path: request.url ?? '', headers: request.headers, body };
    this.asked.push(asked);
    const answering = {
      '/maker/quote': this.onQuote,
      '/maker/swap': this.onSwap,
      '/maker/tokens': this.onTokens,
    }[asked.path];
    if (answering === undefined) return answer(response, 404, { message: 'no such method' });
    const answered = (await answering(asked, response)) as Answered | undefined;
    if (answered !== undefined) answer(response, answered.status ?? 200, answered.body);
  }
}

function parseRequestBody(text: string): WebhookMakerRequest['body'] | null {
  try {
    return text === '' ? {} : (JSON.parse(text) as WebhookMakerRequest['body']);
  } catch {
    return null;
  }
}

/** Writes an answer, unless the connection is gone. */
export function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

/** Remembers in memory what instances would write of webhook makers. */
export class MemoryWebhookStore implements WebhookStore {
  readonly entries = new Map<string, WebhookEntry>();
  readonly transitions: string[] = [];

  add(record: WebhookRecord, version = 0): void {
    this.entries.set(record.makerId, { record, state: NEW_WEBHOOK, version });
  }

  get(makerId: string): WebhookRecord {
    const entry = this.entries.get(makerId);
    if (entry === undefined) throw new Error(`there is no webhook of ${makerId}`);
    return entry.record;
  }

  /** As when the operator changes the maker; the state stays. */
  change(makerId: string, changes: Partial<WebhookRecord>): void {
    const entry = this.entries.get(makerId);
    if (entry !== undefined) this.entries.set(makerId, { ...entry, record: { ...entry.record, ...changes } });
  }

  readonly load: WebhookStore['load'] = async () => [...this.entries.values()];
  readonly save: WebhookStore['save'] = async (makerId, version, state, transition) => {
    const entry = this.entries.get(makerId);
    if (entry?.version !== version) return false;
    this.entries.set(makerId, { ...entry, state, version: version + 1 });
    if (transition !== null)
      this.transitions.push(`${transition.from} -> ${transition.to}: ${transition.cause}`);
    return true;
  };
}

/** Remembers swaps in memory, for several instances and across restarts. */
export class MemoryWebhookRecords implements WebhookFillRecords {
  readonly rows = new Map<string, WebhookFillRecord>();

  readonly begin: WebhookFillRecords['begin'] = async (record) => {
    if (this.rows.has(record.requestId)) return false;
    const order = decodeOrder(encodeOrder(record.order)) as WebhookOrder;
    this.rows.set(record.requestId, { ...record, order, state: 'offered', answer: null });
    return true;
  };
  readonly note: WebhookFillRecords['note'] = async (requestId, state, excuse) => {
    const row = this.rows.get(requestId);
    if (row === undefined || row.answer !== null) return;
    this.rows.set(requestId, { ...row, state, excuse: excuse ?? row.excuse });
  };
  readonly end: WebhookFillRecords['end'] = async (requestId, { answer: ended }) => {
    const row = this.rows.get(requestId);
    if (row === undefined || row.answer !== null) return false;
    this.rows.set(requestId, { ...row, state: 'ended', answer: readResult(writeResult(ended)) });
    return true;
  };
  readonly byRequest: WebhookFillRecords['byRequest'] = async (requestId) => this.rows.get(requestId) ?? null;
  readonly unfinished: WebhookFillRecords['unfinished'] = async () =>
    [...this.rows.values()].filter(({ answer: ended }) => ended === null);
}
