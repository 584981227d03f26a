/** The request cannot be answered as it stands; `message` is a sentence for its author. Answered with 400. */
export class SwapRefused extends Error {
  override readonly name = 'SwapRefused';
  readonly statusCode = 400;
}

/** The transaction cannot be executed as it was handed in. Answered with 400, `code` and all. */
export class ExecuteRefused extends Error {
  override readonly name = 'ExecuteRefused';
  /** As documented for `/execute`. */
  readonly executeCode: number;

  constructor(executeCode: number, message: string) {
    super(message);
    this.executeCode = executeCode;
  }
}
