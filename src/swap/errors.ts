/** The request cannot be answered as it stands; `message` is a sentence for its author. Answered with 400. */
export class SwapRefused extends Error {
  override readonly name = 'SwapRefused';
  readonly statusCode = 400;
}
