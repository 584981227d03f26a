/** A change or a question does not fit what there is; `message` is a sentence for whoever asked. */
export class PlatformRefused extends Error {
  override readonly name = 'PlatformRefused';
  /** As HTTP counts: 400 it is wrong, 403 it is not theirs to do, 404 there is no such thing, 409 something is in the way. */
  readonly statusCode: 400 | 403 | 404 | 409;

  constructor(statusCode: 400 | 403 | 404 | 409, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}
