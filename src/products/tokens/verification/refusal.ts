import type { FalseClaim } from './claim.ts';

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
  /** What the client claims wrongly, if that is why. Who reads requests knows by which name the client claimed it. */
  readonly falseClaim: FalseClaim | null;

  constructor(code: VerificationCode, message: string, falseClaim: FalseClaim | null = null) {
    super(message);
    this.code = code;
    this.falseClaim = falseClaim;
  }
}
