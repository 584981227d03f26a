import { OperatorError } from '../operator-error.ts';

/** Something that the user asked to load into the network cannot be loaded; the message says what, and what would do. */
export class LoadError extends OperatorError {
  override readonly name = 'LoadError';
}
