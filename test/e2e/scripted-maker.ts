import { create } from '@bufbuild/protobuf';
import { quoteAt, createSwapMessage, TestMaker } from '../../src/testing/gateway/grpc-client.ts';
import {
  PriceLevelSchema,
  SwapMessageType,
  type SwapUpdate,
  UpdateType,
} from '../../src/gateway/grpc/generated/market_maker_pb.js';
import type { Keypair } from '../../src/solana/keypair.ts';
import {
  addSignatures,
  encodeTransaction,
  type Transaction,
  parseTransaction,
  getTransactionSignature,
} from '../../src/solana/messages/transaction.ts';
import { TcpProxy } from '../tcp-proxy.ts';
import { now } from '../../src/testing/waits.ts';

const ONE_SOL = 1_000_000_000n;
const EXPIRY_SECONDS = 600n;

export interface ScriptedMakerOptions {
  readonly id: string;
  readonly key: string;
  readonly wallet: Keypair;
  /** Quote atoms for a SOL. */
  readonly bid: bigint;
  readonly ask: bigint;
  /** Base atoms that each side offers. */
  readonly depth: bigint;
}

/** A maker over gRPC whose connection can be cut, and which signs what the test says. */
export class ScriptedMaker {
  readonly #options: ScriptedMakerOptions;
  /** Every message of its swap streams, also of those that are gone. */
  readonly heard: SwapUpdate[] = [];
  /** Signatures of takers whose swaps it leaves unsigned. */
  readonly ignored = new Set<string>();
  /** Signatures of takers whose swaps it returns with another blockhash. */
  readonly tampered = new Set<string>();
  #connection: {
    readonly proxy: TcpProxy;
    readonly client: TestMaker;
    readonly swaps: ReturnType<TestMaker['swaps']>;
  } | null = null;

  constructor(options: ScriptedMakerOptions) {
    this.#options = options;
  }

  /** Opens both streams, on a connection of its own, and resolves when its book is in the market. */
  async connect(port: number): Promise<void> {
    await this.close();
    const { id, key, wallet, bid, ask, depth } = this.#options;
    // A port of its own: gRPC clients of one process share the connection to one port.
    const proxy = await TcpProxy.start(port);
    const client = new TestMaker(proxy.port, key);
    const swaps = client.swaps();
    this.#connection = { proxy, client, swaps };
    swaps.call.on('data', (update: SwapUpdate) => {
      this.heard.push(update);
      if (!this.#isIgnored(update)) this.#sign(update);
    });
    await swaps.until(1);
    const { lastSequenceNumber } = await client.unary('getLastSequenceNumber', {
      makerId: id,
      authToken: '',
    });
    const quotes = client.quotes();
    const level = (price: bigint) => [create(PriceLevelSchema, { price, volume: depth })];
    const sides = { bidLevels: level(bid), askLevels: level(ask) };
    const sequenceNumber = lastSequenceNumber + 1n;
    const terms = { makerId: id, quoteExpiryTime: EXPIRY_SECONDS, sequenceNumber, ...sides };
    quotes.call.write(quoteAt(now(), wallet.address, terms));
    const [update] = await quotes.until(1);
    if (update?.updateType !== UpdateType.UPDATED)
      throw new Error(`the quote was refused: ${update?.statusMessage}`);
  }

  /** Does to the connection what the test says. */
  cut(how: 'end' | 'reset' | 'silence'): void {
    this.#connection?.proxy[how]();
  }

  /** What it received about the swap that the taker signed so, in order. */
  toldOf(signature: string): readonly SwapUpdate[] {
    const isIts = ({ unsignedTransaction }: SwapUpdate) =>
      unsignedTransaction !== '' && signatureOf(unsignedTransaction) === signature;
    const uuids = new Set(this.heard.filter(isIts).map(({ swapUuid }) => swapUuid));
    return this.heard.filter(({ swapUuid }) => swapUuid !== '' && uuids.has(swapUuid));
  }

  async close(): Promise<void> {
    this.#connection?.client.close();
    await this.#connection?.proxy.close();
    this.#connection = null;
  }

  /** Signs what it was offered with the taker's signature, also when it was to ignore it. */
  sign(signature: string): void {
    for (const update of this.toldOf(signature)) this.#sign(update);
  }

  #isIgnored({ messageType, unsignedTransaction }: SwapUpdate): boolean {
    return (
      messageType === SwapMessageType.SWAP_AVAILABLE && this.ignored.has(signatureOf(unsignedTransaction))
    );
  }

  #sign({ messageType, swapUuid, unsignedTransaction }: SwapUpdate): void {
    if (messageType !== SwapMessageType.SWAP_AVAILABLE) return;
    const offered = parseTransaction(Buffer.from(unsignedTransaction, 'base64'));
    const wire = this.tampered.has(signatureOf(unsignedTransaction))
      ? encodeTransaction(offered.signatures, changeBlockhash(offered))
      : addSignatures(offered, [this.#options.wallet]);
    const signed = Buffer.from(wire).toString('base64');
    this.#connection?.swaps.call.write(createSwapMessage(SwapMessageType.SWAP_SUBMIT, swapUuid, signed));
  }
}

/** Returns the message of a transaction of version 0 with another blockhash, which stands behind the static accounts. */
function changeBlockhash({ message, messageBytes }: Transaction): Uint8Array {
  const changed = Uint8Array.from(messageBytes);
  const at = 1 + 3 + 1 + 32 * message.staticAccounts.length;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

/** A book that is better than the genesis pools, where a SOL is 200 USDC. */
export const BETTER = { bid: 210_000_000n, ask: 220_000_000n, depth: 10n * ONE_SOL };

function signatureOf(transaction: string): string {
  return getTransactionSignature(parseTransaction(Buffer.from(transaction, 'base64')));
}
