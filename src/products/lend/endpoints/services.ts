import type { BorrowServices } from '../../../lend/borrow/borrow.ts';
import type { EarnServices } from '../earn/earn.ts';

/** The services of the lend endpoints. */
export interface LendServices {
  readonly earn: EarnServices;
  readonly borrow: BorrowServices;
}
