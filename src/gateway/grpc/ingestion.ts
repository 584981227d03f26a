import { create } from '@bufbuild/protobuf';
import {
  Metadata,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Rfq } from '../../rfq/index.ts';
import type { ShownBook } from '../../rfq/books/books.ts';
import type { Maker } from '../../rfq/makers/makers.ts';
import type { QuoteOutgoing, QuoteStream } from '../../rfq/streams/quote-streams.ts';
import type { Snapshot } from '../../rfq/books/snapshot.ts';
import { formatForError } from '../../common/format-for-error.ts';
import type { SwapStream } from '../../rfq/streams/swap-streams.ts';
import { CallBudget } from './call-budget.ts';
import { type CallRefused, type Credentials, makerOf } from './credentials.ts';
import type { Received } from './decode.ts';
import {
  Cluster,
  type GetAllOrderbooksRequest,
  type GetAllOrderbooksResponse,
  GetAllOrderbooksResponseSchema,
  type GetQuotesRequest,
  type GetQuotesResponse,
  GetQuotesResponseSchema,
  type MarketMakerSwap,
  type QuoteUpdate,
  type SequenceNumberRequest,
  type SequenceNumberResponse,
  SequenceNumberResponseSchema,
  type SwapUpdate,
} from './generated/market_maker_pb.js';
import { endCall, outgoingOf } from './outgoing.ts';
import { clusterName, orderbookOf, quoteMessage, streamedPair, updateOf } from './quote-messages.ts';
import { makerMessageOf, swapUpdateOf } from './swap-messages.ts';

export interface IngestionParts extends Credentials {
  readonly rfq: Rfq;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Destroys the connection of a call by its peer's address. */
  readonly hangUp: (peer: string) => void;
  /** Told of a fault of the service itself. */
  readonly onDefect: (error: unknown) => void;
}

/** The service that makers connect to, over the makers' side of the market. */
export function ingestionService(parts: IngestionParts): UntypedServiceImplementation {
  const budget = new CallBudget(parts.now);
  return {
    GetLastSequenceNumber: unary(parts, budget, (request: SequenceNumberRequest, maker) =>
      lastSequence(parts, request, maker),
    ),
    GetAllOrderbooks: unary(parts, budget, (request: GetAllOrderbooksRequest, { record }) => {
      const books = [...parts.rfq.listed.listed(parts.now())];
      budget.charge(record.id, books.length);
      return allOrderbooks(parts, request, books);
    }),
    GetQuotes: unary(parts, budget, (request: GetQuotesRequest, { record }) => {
      const books = [...parts.rfq.listed.listed(parts.now())];
      budget.charge(record.id, books.length);
      return quotesOf(request, books);
    }),
    StreamQuotes: (call: ServerDuplexStream<Received<Snapshot>, QuoteUpdate>) => streamQuotes(parts, call),
    StreamSwap: (call: ServerDuplexStream<Received<MarketMakerSwap>, SwapUpdate>) => streamSwap(parts, call),
  };
}

/** Answers a call of one request: of a maker that is known and has budget left, with a request that can be decoded. */
function unary<Request, Response>(
  parts: IngestionParts,
  budget: CallBudget,
  answer: (request: Request, maker: Maker) => Response | CallRefused | Promise<Response | CallRefused>,
) {
  return (call: ServerUnaryCall<Received<Request>, Response>, callback: sendUnaryData<Response>): void => {
    const received = call.request;
    if ('invalid' in received) {
      callback({ code: status.INVALID_ARGUMENT, details: received.invalid });
      return;
    }
    const { message } = received;
    const maker = makerOf(parts, call.metadata, authTokenOf(message));
    if (isRefused(maker)) {
      callback(maker);
      return;
    }
    const refused = budget.take(maker.record.id);
    if (refused !== null) {
      callback({ code: status.RESOURCE_EXHAUSTED, details: refused });
      return;
    }
    Promise.resolve(answer(message, maker)).then(
      (answered) => {
        if (isRefused(answered)) callback(answered);
        else callback(null, answered);
      },
      (error: unknown) => {
        parts.onDefect(error);
        callback({ code: status.UNAVAILABLE, details: 'the service failed to answer; ask again' });
      },
    );
  };
}

function authTokenOf(request: unknown): string {
  const token =
    typeof request === 'object' && request !== null && 'authToken' in request ? request.authToken : '';
  return typeof token === 'string' ? token : '';
}

function isRefused(value: unknown): value is CallRefused {
  return typeof value === 'object' && value !== null && 'code' in value && 'details' in value;
}

async function lastSequence(
  { rfq }: IngestionParts,
  { makerId }: SequenceNumberRequest,
  { record }: Maker,
): Promise<SequenceNumberResponse | CallRefused> {
  if (makerId !== record.id) {
    const details = `maker_id must be that of the key, ${record.id}, got ${formatForError(makerId)}`;
    return { code: status.PERMISSION_DENIED, details };
  }
  const last = await rfq.makers.lastSequence(makerId);
  const message = `the next snapshot may have any sequence number above ${last}`;
  return create(SequenceNumberResponseSchema, { success: true, lastSequenceNumber: last, message });
}

function allOrderbooks(
  { rfq, now }: IngestionParts,
  { cluster }: GetAllOrderbooksRequest,
  books: readonly ShownBook[],
): GetAllOrderbooksResponse {
  const at = now();
  const isOurs = cluster === Cluster.UNSPECIFIED || clusterName(cluster) === rfq.cluster;
  const orderbooks = isOurs ? books.map(orderbookOf) : [];
  return create(GetAllOrderbooksResponseSchema, { orderbooks, timestamp: BigInt(at) * 1_000n });
}

function quotesOf({ tokenPair }: GetQuotesRequest, books: readonly ShownBook[]): GetQuotesResponse {
  const { base, quote } = streamedPair(tokenPair);
  const ofPair = books.filter(({ live }) => live.base.mint === base.mint && live.quote.mint === quote.mint);
  return create(GetQuotesResponseSchema, { quotes: ofPair.map(quoteMessage) });
}

function streamQuotes(
  parts: IngestionParts,
  call: ServerDuplexStream<Received<Snapshot>, QuoteUpdate>,
): void {
  const maker = makerOf(parts, call.metadata);
  if (isRefused(maker)) {
    endCall(call, maker);
    return;
  }
  // Some clients send nothing before they have the headers.
  call.sendMetadata(new Metadata());
  let stream: QuoteStream | null = null;
  const outgoing: QuoteOutgoing = {
    ...outgoingOf(call, { toUpdate: updateOf, onEnd: () => stream?.closed(), hangUp: parts.hangUp }),
    pause: () => call.pause(),
    resume: () => call.resume(),
  };
  stream = parts.rfq.quoteStreams.open(maker.record.id, outgoing);
  call.on('data', (received: Received<Snapshot>) => {
    if ('invalid' in received) outgoing.end('INVALID_ARGUMENT', received.invalid);
    else guarded(parts, outgoing.end, () => stream?.received(received.message, received.at));
  });
  closeWith(call, () => stream?.closed());
}

function streamSwap(
  parts: IngestionParts,
  call: ServerDuplexStream<Received<MarketMakerSwap>, SwapUpdate>,
): void {
  const maker = makerOf(parts, call.metadata);
  if (isRefused(maker)) {
    endCall(call, maker);
    return;
  }
  call.sendMetadata(new Metadata());
  let stream: SwapStream | null = null;
  const outgoing = outgoingOf(call, {
    toUpdate: swapUpdateOf,
    onEnd: () => stream?.closed(),
    hangUp: parts.hangUp,
  });
  stream = parts.rfq.swapStreams.open(maker.record.id, outgoing);
  call.on('data', (received: Received<MarketMakerSwap>) => {
    if ('invalid' in received) outgoing.end('INVALID_ARGUMENT', received.invalid);
    else guarded(parts, outgoing.end, () => stream?.received(makerMessageOf(received.message)));
  });
  closeWith(call, () => stream?.closed());
  call.on('close', () => {
    if (!call.cancelled) stream?.left();
  });
}

/** When the client has said all, the service has too; when the connection is gone, there is nobody left. */
function closeWith(call: ServerDuplexStream<unknown, unknown>, closed: () => void): void {
  call.on('end', () => {
    closed();
    call.end();
  });
  call.on('cancelled', closed);
  call.on('close', closed);
}

function guarded(parts: IngestionParts, end: QuoteOutgoing['end'], work: () => void): void {
  try {
    work();
  } catch (error) {
    parts.onDefect(error);
    end('UNAVAILABLE', 'the service failed to take a message; open the stream again');
  }
}
