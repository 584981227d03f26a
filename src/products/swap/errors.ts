import type { Address } from '../../solana/address.ts';

/** The request cannot be answered as it stands; `message` is a sentence for its author. Answered with 400. */
export class SwapRefused extends Error {
  override readonly name: string = 'SwapRefused';
  readonly statusCode = 400;
  readonly errorCode: RefusalCode | null;

  constructor(message: string, errorCode: RefusalCode | null = null) {
    super(message);
    this.errorCode = errorCode;
  }
}

/** What clients of the older flow tell refusals apart by. */
export type RefusalCode =
  | 'COULD_NOT_FIND_ANY_ROUTE'
  | 'TOKEN_NOT_TRADABLE'
  | 'CIRCULAR_ARBITRAGE_IS_DISABLED';

/** At present the programs would refuse the swap along the route that was quoted. */
export class SwapWouldFail extends SwapRefused {
  /** The program that refused; null when the runtime did. */
  readonly program: Address | null;

  constructor(program: Address | null, reason: string) {
    super(`the swap would fail at present: ${reason}`);
    this.program = program;
  }
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
