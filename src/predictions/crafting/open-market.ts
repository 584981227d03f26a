import type { Chain } from '../../chain/chain.ts';
import { formatForError } from '../../common/format-for-error.ts';
import type { PredictionEvents, PredictionExchange, PredictionMarket } from '../prediction.ts';
import { refuseOrder, refuseUnknown } from '../prediction-refused.ts';
import type { PredictionVault } from './prediction-vault.ts';

export interface OpenMarketDependencies {
  readonly chain: Pick<Chain, 'clock'>;
  readonly events: Pick<PredictionEvents, 'findMarket'>;
  readonly exchange: Pick<PredictionExchange, 'getPrices'>;
  readonly vault: Pick<PredictionVault, 'isTradingActive'>;
}

/**
 * Finds a market that takes orders now.
 * @throws PredictionRefused when it is not known, not open, or closed, or when trading is halted
 */
export function requireOpenMarket(
  { chain, events, exchange, vault }: OpenMarketDependencies,
  marketId: string,
): PredictionMarket {
  const market = events.findMarket(marketId);
  if (market === null) {
    return refuseUnknown('market_not_found', `there is no market ${formatForError(marketId)}`, 'marketId');
  }
  const now = Number(chain.clock().unixTimestamp);
  if (market.status !== 'open' || now >= market.closeAt) {
    return refuseOrder('MARKET_CLOSED', 'The market is closed', 'marketId');
  }
  if (now < market.openAt) return refuseOrder('MARKET_NOT_OPEN', 'The market is not open yet', 'marketId');
  if (!vault.isTradingActive()) return refuseOrder('MARKET_NOT_OPEN', 'Trading is halted');
  // A forecast is no market of the exchange, whatever prices it has.
  if (market.forecast !== null || exchange.getPrices(marketId) === null) {
    return refuseOrder('MARKET_NOT_OPEN', 'The market does not take orders at the moment', 'marketId');
  }
  return market;
}
