import { formatForError } from '../../../../common/format-for-error.ts';
import { MARKETS, type MarketName } from '../../../../lend/borrow/markets.ts';
import { BorrowRefused } from '../../../../lend/borrow/refusals.ts';
import { defineText, optional } from '../../../parameters/parameter.ts';
import { textFor } from '../../../parameters/parameter-schema.ts';

/** The parameter `market`. */
export const MARKET = optional(
  defineText(
    textFor({ type: 'string', enum: [...MARKETS] }, 'Ids of vaults and positions are those of a market.'),
    readMarket,
  ),
  MARKETS[0],
);

/** @throws BorrowRefused for a market that does not exist */
export function readMarket(text: string): MarketName {
  const market = MARKETS.find((each) => each === text);
  if (market !== undefined) return market;
  throw new BorrowRefused(`market must be ${MARKETS.join(' or ')}, got ${formatForError(text)}`);
}
