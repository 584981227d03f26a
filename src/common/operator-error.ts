/**
 * Thrown for a problem outside the program that its operator can fix. The message says what is wrong and how to fix it.
 *
 * @example
 * ```ts
 * import { OperatorError } from './operator-error.ts';
 *
 * throw new OperatorError('port must be a whole number from 0 to 65535, got "x"');
 * ```
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
