import { toBinary } from '@bufbuild/protobuf';
import type { Snapshot } from '../../rfq/books/snapshot.ts';
import { decoderOf, type Received } from './decode.ts';
import {
  MarketMakerIngestionService,
  MarketMakerQuoteSchema,
  QuoteUpdateSchema,
} from './generated/market_maker_pb.js';
import { ACCEPTED, snapshotOf } from './quote-messages.ts';
import { QuoteReader } from './quote-reader.ts';
import { definitionOf, type Methods } from './service-definition.ts';

/** The makers' service. Snapshots, of which there are many, are handed over as such, and the usual ack is written once. */
export function ingestionDefinition(stopwatch: () => number): Methods {
  const methods = definitionOf(MarketMakerIngestionService, stopwatch);
  const { StreamQuotes } = methods;
  if (StreamQuotes === undefined) throw new Error('the service has no StreamQuotes');
  const { responseSerialize } = StreamQuotes;
  const accepted = Buffer.from(toBinary(QuoteUpdateSchema, ACCEPTED));
  return {
    ...methods,
    StreamQuotes: {
      ...StreamQuotes,
      requestDeserialize: snapshotDecoder(stopwatch),
      responseSerialize: (update) => (update === ACCEPTED ? accepted : responseSerialize(update)),
    },
  };
}

/** As `decoderOf` would, to a snapshot, and quicker for what makers usually send. */
export function snapshotDecoder(stopwatch: () => number): (bytes: Buffer) => Received<Snapshot> {
  const reader = new QuoteReader();
  const decode = decoderOf(MarketMakerQuoteSchema, stopwatch);
  return (bytes) => {
    const at = stopwatch();
    const message = reader.read(bytes);
    if (message !== null) return { message, at };
    const received = decode(bytes);
    return 'invalid' in received ? received : { message: snapshotOf(received.message), at };
  };
}
