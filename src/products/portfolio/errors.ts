import { RequestRefused } from '../request-refused.ts';

/** A request for positions that cannot be answered as it stands. */
export class PortfolioRefused extends RequestRefused {
  override readonly name = 'PortfolioRefused';
}
