/** Something outside the program is wrong that whoever runs it can mend: the message says what and how. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
