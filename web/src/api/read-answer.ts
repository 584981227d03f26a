import { ShapeError, type ShapeReader } from '../base/json-shape.ts';
import { UnreadableError } from './call.ts';

/**
 * Reads an answer by its form.
 *
 * @param what - What the answer is, as the message names it: `the makers`.
 * @throws UnreadableError if it has another form
 */
export function readAnswer<Value>(what: string, read: ShapeReader<Value>, answer: unknown): Value {
  try {
    return read(answer);
  } catch (error) {
    throw error instanceof ShapeError ? new UnreadableError(what) : error;
  }
}
