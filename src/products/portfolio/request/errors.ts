import { RequestRefused } from '../../../common/request-refused.ts';

/** A refusal of a request for positions. */
export class PortfolioRefused extends RequestRefused {
  override readonly name = 'PortfolioRefused';
}
