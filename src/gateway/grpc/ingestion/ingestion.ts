import { create } from '@bufbuild/protobuf';
import {
  Metadata,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Rfq } from '../../../rfq/index.ts';
import type { ShownBook } from '../../../rfq/books/books.ts';
import type { Maker } from '../../../rfq/makers/makers.ts';
import type { QuoteOutgoing, QuoteStream } from '../../../rfq/streams/quote-streams.ts';
import type { Snapshot } from '../../../rfq/books/snapshot.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { SwapStream } from '../../../rfq/streams/swap-streams.ts';
import { CallBudget } from './call-budget.ts';
import { type Credentials, authenticateMaker } from './credentials.ts';
import type { Received } from '../wire/decode.ts';
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
} from '../generated/market_maker_pb.js';
import { type CallRefused, endCall, createOutgoing } from '../wire/outgoing.ts';
import {
  toClusterName,
  toOrderbook,
  toQuoteMessage,
  toStreamedPair,
  toQuoteUpdate,
} from './quote-messages.ts';
import { toMakerMessage, toSwapUpdate } from './swap-messages.ts';

export interface IngestionDependencies extends Credentials {
  readonly rfq: Rfq;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Destroys the connection of a call by its peer's address. */
  readonly hangUp: (peer: string) => void;
  /** Called with an error that the service did not expect; the call it belongs to ends with UNAVAILABLE. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * Implements the service that makers connect to.
 * Returns the implementation of each method, for `Server.addService`.
 */
export function createIngestionService(dependencies: IngestionDependencies): UntypedServiceImplementation {
  const { rfq, now } = dependencies;
  const budget = new CallBudget(now);
  /** Lists the live books, and charges the budget of the maker that asked. */
  const listBooks = ({ record }: Maker) => {
    const books = [...rfq.allBooks.listed(now())];
    budget.charge(record.id, books.length);
    return books;
  };
  return {
    GetLastSequenceNumber: implementUnary(dependencies, budget, (request: SequenceNumberRequest, maker) =>
      readLastSequence(rfq, request, maker),
    ),
    GetAllOrderbooks: implementUnary(dependencies, budget, (request: GetAllOrderbooksRequest, maker) =>
      toOrderbooksResponse(rfq, request, listBooks(maker), now()),
    ),
    GetQuotes: implementUnary(dependencies, budget, (request: GetQuotesRequest, maker) =>
      toQuotesResponse(request, listBooks(maker)),
    ),
    StreamQuotes: (call: ServerDuplexStream<Received<Snapshot>, QuoteUpdate>) =>
      streamQuotes(dependencies, call),
    StreamSwap: (call: ServerDuplexStream<Received<MarketMakerSwap>, SwapUpdate>) =>
      streamSwap(dependencies, call),
  };
}

/**
 * Implements a unary method. The call is refused unless its request can be decoded, its key belongs to an enabled maker,
 * and that maker has budget left.
 */
function implementUnary<Request, Response>(
  { findMaker, onDefect }: Pick<IngestionDependencies, 'findMaker' | 'onDefect'>,
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
    const maker = authenticateMaker({ findMaker }, call.metadata, getAuthToken(message));
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
        onDefect(error);
        callback({ code: status.UNAVAILABLE, details: 'the service failed to answer; ask again' });
      },
    );
  };
}

function getAuthToken(request: unknown): string {
  const token =
    typeof request === 'object' && request !== null && 'authToken' in request ? request.authToken : '';
  return typeof token === 'string' ? token : '';
}

function isRefused(value: unknown): value is CallRefused {
  return typeof value === 'object' && value !== null && 'code' in value && 'details' in value;
}

async function readLastSequence(
  rfq: Rfq,
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

function toOrderbooksResponse(
  rfq: Rfq,
  { cluster }: GetAllOrderbooksRequest,
  books: readonly ShownBook[],
  at: number,
): GetAllOrderbooksResponse {
  const isOurs = cluster === Cluster.UNSPECIFIED || toClusterName(cluster) === rfq.cluster;
  const orderbooks = isOurs ? books.map(toOrderbook) : [];
  return create(GetAllOrderbooksResponseSchema, { orderbooks, timestamp: BigInt(at) * 1_000n });
}

function toQuotesResponse({ tokenPair }: GetQuotesRequest, books: readonly ShownBook[]): GetQuotesResponse {
  const { base, quote } = toStreamedPair(tokenPair);
  const ofPair = books.filter(({ live }) => live.base.mint === base.mint && live.quote.mint === quote.mint);
  return create(GetQuotesResponseSchema, { quotes: ofPair.map(toQuoteMessage) });
}

function streamQuotes(
  { rfq, findMaker, hangUp, onDefect }: IngestionDependencies,
  call: ServerDuplexStream<Received<Snapshot>, QuoteUpdate>,
): void {
  const maker = authenticateMaker({ findMaker }, call.metadata);
  if (isRefused(maker)) {
    endCall(call, maker);
    return;
  }
  // Some clients send nothing before they receive the headers.
  call.sendMetadata(new Metadata());
  let stream: QuoteStream | null = null;
  const outgoing: QuoteOutgoing = {
    ...createOutgoing(call, { toUpdate: toQuoteUpdate, onEnd: () => stream?.closed(), hangUp }),
    pause: () => call.pause(),
    resume: () => call.resume(),
  };
  stream = rfq.quoteStreams.open(maker.record.id, outgoing);
  call.on('data', (received: Received<Snapshot>) => {
    if ('invalid' in received) outgoing.end('INVALID_ARGUMENT', received.invalid);
    else runOrEndStream(onDefect, outgoing.end, () => stream?.received(received.message, received.at));
  });
  closeWith(call, () => stream?.closed());
}

function streamSwap(
  { rfq, findMaker, hangUp, onDefect }: IngestionDependencies,
  call: ServerDuplexStream<Received<MarketMakerSwap>, SwapUpdate>,
): void {
  const maker = authenticateMaker({ findMaker }, call.metadata);
  if (isRefused(maker)) {
    endCall(call, maker);
    return;
  }
  call.sendMetadata(new Metadata());
  let stream: SwapStream | null = null;
  const outgoing = createOutgoing(call, {
    toUpdate: toSwapUpdate,
    onEnd: () => stream?.closed(),
    hangUp,
  });
  stream = rfq.swapStreams.open(maker.record.id, outgoing);
  call.on('data', (received: Received<MarketMakerSwap>) => {
    if ('invalid' in received) outgoing.end('INVALID_ARGUMENT', received.invalid);
    else runOrEndStream(onDefect, outgoing.end, () => stream?.received(toMakerMessage(received.message)));
  });
  closeWith(call, () => stream?.closed());
  call.on('close', () => {
    if (!call.cancelled) stream?.readToEnd();
  });
}

/** Calls `closed` when the client ends its side, and then ends the service's, or when the connection is gone. */
function closeWith(call: ServerDuplexStream<unknown, unknown>, closed: () => void): void {
  call.on('end', () => {
    closed();
    call.end();
  });
  call.on('cancelled', closed);
  call.on('close', closed);
}

/** Runs `work`, and ends the stream if it throws. */
function runOrEndStream(
  onDefect: IngestionDependencies['onDefect'],
  end: QuoteOutgoing['end'],
  work: () => void,
): void {
  try {
    work();
  } catch (error) {
    onDefect(error);
    end('UNAVAILABLE', 'the service failed to take a message; open the stream again');
  }
}
