import type { BorrowServices } from '../borrow/borrow.ts';
import type { EarnServices } from '../earn/earn.ts';

/** What the handlers of the product's endpoints are given. */
export interface LendServices {
  readonly earn: EarnServices;
  readonly borrow: BorrowServices;
}
