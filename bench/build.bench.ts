import type { FastifyInstance } from 'fastify';
import { createSwapServices, swap as swapProduct } from '../src/products/swap/index.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';
import { HttpLoad } from './http-load.ts';
import { openKeyedGateway } from './keyed-gateway.ts';
import type { Row } from './row.ts';

export const title = 'Building swaps';

const CONNECTIONS = 16;
/** The two are measured alternately, so that other load on the machine affects both. The median round counts. */
const ROUNDS = 7;
const PER_ROUND = 1_500;
const MIN_SHARE = 0.3;
const STORED_PATH = '/swap/v2/stored';

/** Compares swaps that one gateway builds over the market of the genesis with a stored answer of the same size. */
export async function run(): Promise<readonly Row[]> {
  const swap = await openTestSwap();
  // A chain answers both from memory, but this one would ask LiteSVM each time.
  const [clock, blockhash] = [swap.market.chain.clock(), swap.market.chain.recentBlockhash()];
  Object.assign(swap.market.chain, { clock: () => clock, recentBlockhash: () => blockhash });
  const stored: { body: string } = { body: '' };
  const products = [swapProduct.run(createSwapServices(swap.composed))];
  const gateway = await openKeyedGateway(products, (app) => registerStored(app, stored));
  const load = new HttpLoad();
  try {
    const { key, port } = gateway;
    const request = { key, taker: swap.wallet.address, port };
    stored.body = (
      await gateway.app.inject({ url: buildPath(request.taker, 0), headers: { 'x-api-key': key } })
    ).body;
    return [await compare(load, request)];
  } finally {
    load.close();
    await gateway.close();
  }
}

function registerStored(app: FastifyInstance, stored: { readonly body: string }): void {
  app.get(STORED_PATH, async (_request, reply) => reply.type('application/json').send(stored.body));
}

interface Requests {
  readonly key: string;
  readonly taker: string;
  readonly port: number;
}

async function compare(load: HttpLoad, { key, taker, port }: Requests): Promise<Row> {
  const rounds: { readonly built: number; readonly stored: number }[] = [];
  const rate = async (paths: readonly string[]): Promise<number> => {
    const requests = paths.map(
      (path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n\r\n`,
    );
    const success = '"swapInstruction"';
    const { milliseconds } = await load.send({ port, connections: CONNECTIONS, requests, success });
    return (paths.length / milliseconds) * 1_000;
  };
  for (let round = 0; round <= ROUNDS; round++) {
    const first = round * PER_ROUND;
    const built = await rate(
      Array.from({ length: PER_ROUND }, (_, index) => buildPath(taker, first + index)),
    );
    rounds.push({ built, stored: await rate(new Array<string>(PER_ROUND).fill(STORED_PATH)) });
  }
  const [median] = rounds
    .slice(1)
    .sort((one, other) => one.built / one.stored - other.built / other.stored)
    .slice(Math.floor(ROUNDS / 2));
  const { built = Number.NaN, stored = Number.NaN } = median ?? {};
  return {
    what: `\`/swap/v2/build\`, ${CONNECTIONS} connections, load from a second process`,
    measured: `${Math.round(built).toLocaleString('en')} per second, ${(built / stored).toFixed(2)} of the stored body`,
    against: `a stored body of the same size: ${Math.round(stored).toLocaleString('en')} per second`,
    atLeast: `${MIN_SHARE} of the stored body`,
    ok: built / stored >= MIN_SHARE,
  };
}

/** Amounts from 0.01 to 100 SOL, all different, so that no answer can come from a cache. */
function amount(index: number): number {
  return Math.floor(1e7 * 10 ** ((index * 0.618_034 * 4) % 4)) + index;
}

function buildPath(taker: string, index: number): string {
  const query = new URLSearchParams({
    inputMint: 'So11111111111111111111111111111111111111112',
    outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    amount: String(amount(index)),
    taker,
  });
  return `/swap/v2/build?${query}`;
}
