/** Why a request for verification is refused, as its clients distinguish it. */
export type VerificationCode =
  | 'INVALID_TOKEN_ID'
  | 'INVALID_PAYLOAD'
  | 'TRANSACTION_EXPIRED'
  | 'ELIGIBILITY_CONFLICT'
  | 'EXECUTION_FAILED';

/** A request for verification that is refused. The message is a sentence for the client. */
export class VerificationRefused extends Error {
  override readonly name = 'VerificationRefused';
  readonly code: VerificationCode;

  constructor(code: VerificationCode, message: string) {
    super(message);
    this.code = code;
  }
}
