/**
 * What is invalid. `message`: the message breaks a rule of the chain. `misplaced-program`: so does it, because an invoked program
 * is also the fee payer or a writable account. `envelope`: the transaction is too large, or its signatures do not match its
 * message.
 */
export type TransactionInvalidKind = 'message' | 'misplaced-program' | 'envelope';

/** Thrown when a transaction, or the bytes of one, break the rules of the chain. */
export class TransactionInvalid extends Error {
  override readonly name = 'TransactionInvalid';
  readonly kind: TransactionInvalidKind;

  constructor(message: string, kind: TransactionInvalidKind = 'message') {
    super(message);
    this.kind = kind;
  }
}
