import {
  create,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  type ChannelCredentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import {
  MarketMakerIngestionService,
  type MarketMakerQuote,
  MarketMakerQuoteSchema,
  type MarketMakerSwap,
  MarketMakerSwapSchema,
  type QuoteUpdate,
  type SwapUpdate,
} from '../../gateway/grpc/generated/market_maker_pb.js';

/** A stream of a client, with the messages received so far. */
export interface TestStream<Sent, Got> {
  readonly call: ClientDuplexStream<Sent, Got>;
  readonly got: readonly Got[];
  readonly headers: Promise<Metadata>;
  /** Resolves with the status that the stream ended with. */
  readonly ended: Promise<Pick<ServiceError, 'code' | 'details'>>;
  /** Resolves when at least this many messages have arrived. */
  readonly until: (count: number) => Promise<readonly Got[]>;
}

/** A maker's client, created from the proto without any code of the server. */
export class TestMaker {
  readonly client: Client;
  readonly #metadata = new Metadata();

  constructor(
    port: number,
    key: string | null,
    channel: ChannelCredentials = credentials.createInsecure(),
    host = '127.0.0.1',
  ) {
    this.client = new Client(`${host}:${port}`, channel);
    if (key !== null) this.#metadata.set('x-api-key', key);
  }

  unary<Method extends keyof typeof MarketMakerIngestionService.method>(
    method: Method,
    request: MessageInitShape<(typeof MarketMakerIngestionService.method)[Method]['input']>,
  ): Promise<MessageShape<(typeof MarketMakerIngestionService.method)[Method]['output']>> {
    const { input, output, name } = MarketMakerIngestionService.method[method];
    const message = toBinary(input, create(input, request as never));
    return this.raw(MarketMakerIngestionService, name, Buffer.from(message)).then(
      (bytes) => fromBinary(output, bytes) as never,
    );
  }

  raw(service: DescService, name: string, bytes: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const path = `/${service.typeName}/${name}`;
      const same = (buffer: Buffer) => buffer;
      this.client.makeUnaryRequest(path, same, same, bytes, this.#metadata, (error, value) => {
        if (error !== null) reject(error);
        else resolve(value ?? Buffer.alloc(0));
      });
    });
  }

  quotes(): TestStream<MarketMakerQuote, QuoteUpdate> {
    const { input, output } = MarketMakerIngestionService.method.streamQuotes;
    return this.#stream(
      'StreamQuotes',
      (quote) => toBinary(input, quote),
      (bytes) => fromBinary(output, bytes),
    );
  }

  swaps(): TestStream<MarketMakerSwap, SwapUpdate> {
    const { input, output } = MarketMakerIngestionService.method.streamSwap;
    return this.#stream(
      'StreamSwap',
      (swap) => toBinary(input, swap),
      (bytes) => fromBinary(output, bytes),
    );
  }

  /** Opens a stream of unparsed bytes. */
  bytes(name: string): TestStream<Uint8Array, Buffer> {
    return this.#stream(
      name,
      (bytes) => bytes,
      (bytes) => bytes,
    );
  }

  close(): void {
    this.client.close();
  }

  #stream<Sent, Got>(
    name: string,
    encode: (message: Sent) => Uint8Array,
    decode: (bytes: Buffer) => Got,
  ): TestStream<Sent, Got> {
    const call = this.client.makeBidiStreamRequest(
      `/${MarketMakerIngestionService.typeName}/${name}`,
      (message: Sent) => Buffer.from(encode(message)),
      decode,
      this.#metadata,
    );
    const got: Got[] = [];
    const waiting: { readonly count: number; readonly resolve: (got: readonly Got[]) => void }[] = [];
    call.on('data', (message: Got) => {
      got.push(message);
      for (const one of waiting) if (got.length >= one.count) one.resolve(got);
    });
    call.on('error', () => undefined);
    return {
      call,
      got,
      headers: new Promise((resolve) => call.on('metadata', resolve)),
      ended: new Promise((resolve) => call.on('status', resolve)),
      until: (count) =>
        new Promise((resolve) => {
          if (got.length >= count) resolve(got);
          else waiting.push({ count, resolve });
        }),
    };
  }
}

const token = (address: string, decimals: number, symbol: string) => ({
  address,
  decimals,
  symbol,
  owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
});
export const PAIR = {
  baseToken: token('So11111111111111111111111111111111111111112', 9, 'SOL'),
  quoteToken: token('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 6, 'USDC'),
};

/** A quote of the first test maker that is accepted at `now`, in Unix milliseconds. */
export function quoteAt(
  now: number,
  makerAddress: string,
  overrides: Partial<Omit<MarketMakerQuote, '$typeName' | '$unknown'>> = {},
): MarketMakerQuote {
  const quote = create(MarketMakerQuoteSchema, {
    timestamp: BigInt(now) * 1_000n,
    sequenceNumber: 1n,
    quoteExpiryTime: 60n,
    makerId: 'maker-1',
    makerAddress,
    lotSizeBase: 1_000n,
    cluster: 1,
    tokenPair: PAIR,
    bidLevels: [{ price: 99_000_000n, volume: 1_000_000_000n }],
    askLevels: [{ price: 101_000_000n, volume: 1_000_000_000n }],
  });
  return Object.assign(quote, overrides);
}

export function createSwapMessage(
  messageType: number,
  swapUuid = '',
  signedTransaction = '',
): MarketMakerSwap {
  return create(MarketMakerSwapSchema, { messageType, swapUuid, signedTransaction });
}
