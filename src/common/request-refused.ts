/**
 * A product refuses a request as it stands. Products extend this class. The gateway answers 400 with the message,
 * which is a sentence for the client, and with `errorCode` if there is one.
 */
export class RequestRefused extends Error {
  override readonly name: string = 'RequestRefused';
  /** Distinguishes refusals for programs; null if there is only the message. */
  readonly errorCode: string | null;

  constructor(message: string, errorCode: string | null = null) {
    super(message);
    this.errorCode = errorCode;
  }
}
