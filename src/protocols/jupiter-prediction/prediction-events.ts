import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { PREDICTION_ORDER_EVENT_READERS, type PredictionOrderEvent } from './prediction-order-events.ts';
import {
  PREDICTION_POSITION_EVENT_READERS,
  type PredictionPositionEvent,
} from './prediction-position-events.ts';

/** An event of an order or a position. */
export type PredictionProgramEvent = PredictionOrderEvent | PredictionPositionEvent;

/**
 * Decodes the data of a log line of the program that begins with `Program data:`. Returns null for an event of the vault or
 * of tickets, and for data of another program.
 *
 * @throws LayoutInvalid when an event is cut short.
 */
export function decodePredictionEvent(data: Uint8Array): PredictionProgramEvent | null {
  const tag = Buffer.from(data.subarray(0, 8)).toString('hex');
  const read = PREDICTION_ORDER_EVENT_READERS.get(tag) ?? PREDICTION_POSITION_EVENT_READERS.get(tag);
  return read === undefined ? null : read(new ByteReader(data, 'event of prediction markets', 8));
}
