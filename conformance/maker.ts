import { create } from '@bufbuild/protobuf';
import { randomBytes } from 'node:crypto';
import * as kit from '@solana/kit';
import {
  quoteAt,
  createSwapMessage,
  TestMaker,
  type TestStream,
} from '../src/testing/gateway/grpc-client.ts';
import {
  type MarketMakerQuote,
  type MarketMakerSwap,
  PriceLevelSchema,
  type QuoteUpdate,
  SwapMessageType,
  type SwapUpdate,
} from '../src/gateway/grpc/generated/market_maker_pb.js';
import { type Keypair, createKeypairFromSeed } from '../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../src/solana/messages/transaction.ts';
import { SOL, USDC } from './statements/mints.ts';
import type { World } from './world.ts';

/** A maker as the operator has registered it. */
export interface RegisteredMaker {
  readonly id: string;
  readonly key: string;
  readonly wallet: Keypair;
}

/** A maker with both streams open. */
export interface ConnectedMaker extends RegisteredMaker {
  readonly client: TestMaker;
  readonly swaps: TestStream<MarketMakerSwap, SwapUpdate>;
  readonly quotes: TestStream<MarketMakerQuote, QuoteUpdate>;
  /** Streams a quote of SOL in USDC with the next sequence number, and resolves with its ack. */
  readonly stream: (changes?: Parameters<typeof quoteAt>[2]) => Promise<QuoteUpdate>;
}

/** Atoms of the inventory: 100 SOL and 50,000 USDC. */
export const INVENTORY = { sol: 100_000_000_000n, usdc: 50_000_000_000n };
const PATIENCE_MS = 15_000;

/** Registers a maker that owns nothing. */
export async function registerMaker(world: World): Promise<RegisteredMaker> {
  const wallet = createKeypairFromSeed(randomBytes(32));
  const id = `maker-${randomBytes(4).toString('hex')}`;
  const answer = await world.admin('POST', '/admin/v1/makers', { id, address: wallet.address });
  if (answer.status !== 200) throw new Error(`the maker was refused: ${answer.text}`);
  return { id, key: answer.json.key, wallet };
}

const funded = new WeakMap<World, Promise<RegisteredMaker>>();

/** Returns the maker with the inventory, which the statements share. */
function fundedMaker(world: World): Promise<RegisteredMaker> {
  const known = funded.get(world);
  if (known !== undefined) return known;
  const made = registerFunded(world);
  funded.set(world, made);
  return made;
}

export async function registerFunded(world: World): Promise<RegisteredMaker> {
  const maker = await registerMaker(world);
  for (const [mint, amount] of [
    [SOL, INVENTORY.sol],
    [USDC, INVENTORY.usdc],
  ]) {
    const gift = { wallet: maker.wallet.address, mint, amount: `${amount}` };
    const answer = await world.admin('POST', '/admin/v1/network/faucet', gift);
    if (answer.status !== 200) throw new Error(`the faucet answered ${answer.text}`);
  }
  return maker;
}

/** Opens a channel to the makers' interface. The caller must close it. */
export function openClient({ grpcAddress }: World, key: string | null): TestMaker {
  return new TestMaker(Number(grpcAddress.split(':').at(-1)), key);
}

/** Connects a maker for the time of a check. By default it is the one with the inventory. */
export async function withMaker(
  world: World,
  check: (maker: ConnectedMaker) => Promise<string | null>,
  registered: Promise<RegisteredMaker> = fundedMaker(world),
): Promise<string | null> {
  const maker = await registered;
  const client = openClient(world, maker.key);
  const swaps = client.swaps();
  try {
    await soon(swaps.until(1), 'CONNECTION_READY');
    const quotes = client.quotes();
    const stream: ConnectedMaker['stream'] = async (changes = {}) => {
      const before = quotes.got.length;
      quotes.call.write(await nextQuote(client, maker, changes));
      return (await soon(quotes.until(before + 1), 'an ack'))[before] as QuoteUpdate;
    };
    return await check({ ...maker, client, swaps, quotes, stream });
  } finally {
    // Streams outlive their channel, and the maker's books leave the market with its swap stream.
    swaps.call.end();
    await soon(swaps.ended, 'the end of the swap stream').finally(() => client.close());
  }
}

/** Returns a quote of 50 SOL on each side, around 200 USDC, with the next sequence number. */
export async function nextQuote(
  client: TestMaker,
  { id, wallet }: RegisteredMaker,
  changes: Parameters<typeof quoteAt>[2] = {},
): Promise<MarketMakerQuote> {
  const { lastSequenceNumber } = await client.unary('getLastSequenceNumber', { makerId: id, authToken: '' });
  const sides = { bidLevels: [level(199_000_000n, 50n)], askLevels: [level(201_000_000n, 50n)] };
  const sequenceNumber = lastSequenceNumber + 1n;
  return quoteAt(Date.now(), wallet.address, { makerId: id, sequenceNumber, ...sides, ...changes });
}

/** @param sol whole SOL */
export function level(price: bigint, sol: bigint) {
  return create(PriceLevelSchema, { price, volume: sol * 1_000_000_000n });
}

/** Signs every swap that is offered from now on, unchanged. */
export function signAll({ swaps, wallet }: ConnectedMaker): void {
  answerAll({ swaps }, (unsigned) => addSignatures(parseTransaction(unsigned), [wallet]));
}

/** Returns every swap that is offered from now on as `answer` makes it. */
export function answerAll(
  { swaps }: Pick<ConnectedMaker, 'swaps'>,
  answer: (unsigned: Buffer) => Uint8Array,
): void {
  swaps.call.on('data', ({ messageType, swapUuid, unsignedTransaction }: SwapUpdate) => {
    if (messageType !== SwapMessageType.SWAP_AVAILABLE) return;
    const signed = Buffer.from(answer(Buffer.from(unsignedTransaction, 'base64'))).toString('base64');
    swaps.call.write(createSwapMessage(SwapMessageType.SWAP_SUBMIT, swapUuid, signed));
  });
}

/** Resolves with the first message of the type. */
export async function heard(
  { swaps }: Pick<ConnectedMaker, 'swaps'>,
  type: SwapMessageType,
): Promise<SwapUpdate> {
  for (let count = 1; ; count++) {
    const [message] = (await soon(swaps.until(count), SwapMessageType[type])).slice(count - 1);
    if (message?.messageType === type) return message;
  }
}

/** Orders a swap of the demo wallet. */
// biome-ignore lint/suspicious/noExplicitAny: a wrong shape is a finding.
export async function orderOf(world: World, query: Readonly<Record<string, string>>): Promise<any> {
  const { json } = await world.ask(
    `/swap/v2/order?${new URLSearchParams({ taker: world.wallet.address, ...query })}`,
  );
  return json;
}

/** Signs an order and executes it. */
export async function executed(
  world: World,
  order: { readonly transaction: string; readonly requestId: string },
  signer: kit.KeyPairSigner = world.wallet,
  // biome-ignore lint/suspicious/noExplicitAny: a wrong shape is a finding.
): Promise<any> {
  const unsigned = kit.getTransactionDecoder().decode(Buffer.from(order.transaction, 'base64'));
  const signed = await kit.partiallySignTransaction([signer.keyPair], unsigned);
  const body = {
    signedTransaction: kit.getBase64EncodedWireTransaction(signed),
    requestId: order.requestId,
  };
  return (await world.ask('/swap/v2/execute', { method: 'POST', body })).json;
}

/** @throws {Error} if nothing comes in time */
export function soon<Value>(coming: Promise<Value>, what: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} did not come`)), PATIENCE_MS);
    coming.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
