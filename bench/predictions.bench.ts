import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { createKeypairFromSeed, type Keypair } from '../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../src/solana/messages/transaction.ts';
import { bannerValue, FREE_PORTS, Instance } from '../test/e2e/instance.ts';
import { latencyRow, quantileOf } from './latency.ts';
import type { Row } from './row.ts';

export const title = 'Prediction markets';

const EVENTS = 1_000;
const [WARM, MEASURED] = [100, 500];
const FILLED = 30;
const CREATED_AT_ONCE = 20;
/** The demo team may not send more than its plan allows. */
const PAUSE_MS = 8;
const MAX_SLOTS = 1;

/** The program as users run it, in a process of its own, with a thousand events; requests come from this one. */
export async function run(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const instance = new Instance(['start', ...FREE_PORTS, '--log-level=warn'], folder);
  try {
    const banner = await instance.ready();
    const market = new BenchMarket(banner, folder);
    const marketId = await market.createEvents();
    const order = market.describePurchase(marketId);
    return [
      latencyRow(
        `\`GET /prediction/v1/events\` with their markets, 100 of ${EVENTS.toLocaleString('en')}`,
        await measureTimes(() => market.get('/events?includeMarkets=true')),
        4,
        20,
      ),
      latencyRow(
        '`POST /prediction/v1/orders`, a purchase for USDC',
        await measureTimes(() => market.post('/orders', order)),
        3,
        15,
      ),
      await measureFills(market, order),
    ];
  } finally {
    await instance.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests to the instance. */
class BenchMarket {
  readonly #rest: string;
  readonly #admin: string;
  readonly #rpc: string;
  readonly #key: string;
  readonly #credential: string;
  readonly #wallet: Keypair;

  constructor(banner: string, folder: string) {
    this.#rest = bannerValue(banner, 'REST');
    this.#admin = new URL(bannerValue(banner, 'Admin')).origin;
    this.#rpc = bannerValue(banner, 'Solana RPC');
    this.#key = bannerValue(banner, 'API key');
    this.#credential = readFileSync(join(folder, '.sluice/operator-credential'), 'utf8').trim();
    const secret: readonly number[] = JSON.parse(
      readFileSync(join(folder, '.sluice/demo-wallet.json'), 'utf8'),
    );
    this.#wallet = createKeypairFromSeed(Uint8Array.from(secret.slice(0, 32)));
  }

  get(path: string) {
    return ask(`${this.#rest}/prediction/v1${path}`, { headers: { 'x-api-key': this.#key } });
  }

  post(path: string, body: object) {
    return ask(`${this.#rest}/prediction/v1${path}`, postOf(body, { 'x-api-key': this.#key }));
  }

  /** Creates events until there are enough, the last one with a house. Returns the market of that. */
  async createEvents(): Promise<string> {
    for (let number = 1; number < EVENTS; number += CREATED_AT_ONCE) {
      const numbers = Array.from(
        { length: Math.min(CREATED_AT_ONCE, EVENTS - number) },
        (_, at) => number + at,
      );
      await Promise.all(numbers.map((each) => this.#createEvent(each, 0)));
    }
    return this.#createEvent(EVENTS, 1_000);
  }

  async #createEvent(number: number, contractsPerCent: number): Promise<string> {
    const house = { startCents: 40, contractsPerCent };
    const markets = [{ title: 'It does', house }];
    const event = { title: `Does it happen ${number}?`, category: 'culture', closeAt: '7d', markets };
    const headers = { authorization: `Bearer ${this.#credential}` };
    const created = await ask(`${this.#admin}/admin/v1/prediction-events`, postOf(event, headers));
    return created.markets[0].marketId;
  }

  describePurchase(marketId: string) {
    const ownerPubkey = this.#wallet.address;
    return { ownerPubkey, marketId, isYes: true, isBuy: true, depositAmount: '5000000' };
  }

  /** Has an order land and waits until it is over. Returns the slots of its transactions, the first one first. */
  async fill(order: object): Promise<readonly number[]> {
    const { transaction, order: built } = await this.post('/orders', order);
    const parsed = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
    const signedTransaction = Buffer.from(addSignatures(parsed, [this.#wallet])).toString('base64');
    await this.post('/execute', { signedTransaction });
    for (;;) {
      const request = {
        jsonrpc: '2.0',
        id: 1,
        method: 'getSignaturesForAddress',
        params: [built.orderPubkey, { commitment: 'confirmed' }],
      };
      const { result } = await ask(this.#rpc, postOf(request));
      // It is created, filled and closed.
      if (result.length >= 3)
        return result
          .map(({ slot }: { slot: number }) => slot)
          .sort((one: number, other: number) => one - other);
      await pass(100);
    }
  }
}

/** Returns the milliseconds of requests that are sent one after another, ascending. */
async function measureTimes(request: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < WARM + MEASURED; at++) {
    await pass(PAUSE_MS);
    const from = performance.now();
    await request();
    if (at >= WARM) times.push(performance.now() - from);
  }
  return times.sort((one, other) => one - other);
}

async function measureFills(market: BenchMarket, order: object): Promise<Row> {
  const waited: number[] = [];
  for (let at = 0; at < FILLED; at++) {
    const [landed = 0, filled = 0] = await market.fill(order);
    waited.push(filled - landed);
  }
  waited.sort((one, other) => one - other);
  const [p50, most] = [quantileOf(waited, 0.5), quantileOf(waited, 1)];
  return {
    what: 'slots from the landing of an order to its fill by the house: p50 / most',
    measured: `${p50} / ${most}`,
    atLeast: `p50 at most ${MAX_SLOTS}`,
    ok: p50 <= MAX_SLOTS,
  };
}

function postOf(body: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

async function ask(url: string, options: RequestInit) {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
