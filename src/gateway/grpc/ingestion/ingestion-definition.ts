import { toBinary } from '@bufbuild/protobuf';
import type { Snapshot } from '../../../rfq/books/snapshot.ts';
import { createMessageDecoder, type Received } from '../wire/decode.ts';
import {
  MarketMakerIngestionService,
  MarketMakerQuoteSchema,
  QuoteUpdateSchema,
} from '../generated/market_maker_pb.js';
import { ACCEPTED, toSnapshot } from './quote-messages.ts';
import { QuoteReader } from './quote-reader.ts';
import { defineService, type Methods } from '../wire/service-definition.ts';

/**
 * Defines the service for makers. Snapshots are frequent, so they have a decoder of their own, and the usual ack is
 * encoded once.
 */
export function createIngestionDefinition(stopwatch: () => number): Methods {
  const methods = defineService(MarketMakerIngestionService, stopwatch);
  const { StreamQuotes } = methods;
  if (StreamQuotes === undefined) throw new Error('the service has no StreamQuotes');
  const { responseSerialize } = StreamQuotes;
  const accepted = Buffer.from(toBinary(QuoteUpdateSchema, ACCEPTED));
  return {
    ...methods,
    StreamQuotes: {
      ...StreamQuotes,
      requestDeserialize: createSnapshotDecoder(stopwatch),
      responseSerialize: (update) => (update === ACCEPTED ? accepted : responseSerialize(update)),
    },
  };
}

/** Decodes a snapshot as `createMessageDecoder` does, and faster for messages that makers usually send. */
export function createSnapshotDecoder(stopwatch: () => number): (bytes: Buffer) => Received<Snapshot> {
  const reader = new QuoteReader();
  const decode = createMessageDecoder(MarketMakerQuoteSchema, stopwatch);
  return (bytes) => {
    const at = stopwatch();
    const message = reader.read(bytes);
    if (message !== null) return { message, at };
    const received = decode(bytes);
    return 'invalid' in received ? received : { message: toSnapshot(received.message), at };
  };
}
