import type { EventProvider } from '../../../../predictions/lists/prediction-lists.ts';
import type { PredictionMarket } from '../../../../predictions/prediction.ts';
import {
  derivePredictionMarket,
  derivePredictionResult,
} from '../../../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../../../solana/address.ts';
import { TOKEN_2022_PROGRAM } from '../../../../solana/program-addresses.ts';
import type { PredictionMarketForm } from './event-schema.ts';

/** The provider of markets that orders trade, as answers name it. */
export const ORDER_PROVIDER: EventProvider = 'polymarket';

/** Returns the provider of a market. */
export function getProvider({ forecast }: Pick<PredictionMarket, 'forecast'>): EventProvider {
  return forecast === null ? ORDER_PROVIDER : 'bisonfi';
}

/** The choices of a market that orders trade, in the form that teams have in markets about matches. */
export const MARKET_OPTIONS = [
  { label: 'Yes', buyYes: true },
  { label: 'No', buyYes: false },
];

/** Returns the choices of a market. The other side of a forecast is another market. */
export function listOptions({ forecast }: Pick<PredictionMarket, 'forecast'>) {
  if (forecast === null) return MARKET_OPTIONS;
  return [{ label: forecast.side === 'up' ? 'Up' : 'Down', buyYes: true }];
}

/** Returns the address by which programs name a market: the round of a forecast has its own account. */
export function getMarketAddress({
  forecast,
  marketIdHash,
}: Pick<PredictionMarket, 'forecast' | 'marketIdHash'>): Address {
  return forecast === null ? derivePredictionMarket(marketIdHash).address : forecast.round;
}

/** The fields of a market that differ between the two kinds. */
type KindForms = Pick<
  PredictionMarketForm,
  | 'provider'
  | 'marketResultPubkey'
  | 'marketOptions'
  | 'outcomeMint'
  | 'outcomeTokenProgram'
  | 'marketPda'
  | 'outcomeSide'
  | 'lifecycleStatus'
>;

/** Writes what differs between markets that orders trade and sides of forecasts. */
export function toKindForms(market: PredictionMarket, now: number): KindForms {
  const { forecast, resolvedAt } = market;
  const common = { provider: getProvider(market), marketOptions: listOptions(market) };
  if (forecast === null) {
    return {
      ...common,
      marketResultPubkey: resolvedAt === null ? null : derivePredictionResult(market.marketIdHash).address,
      outcomeMint: null,
      outcomeTokenProgram: null,
      marketPda: null,
      outcomeSide: null,
    };
  }
  return {
    ...common,
    marketResultPubkey: resolvedAt === null ? null : forecast.round,
    outcomeMint: forecast.outcomeMint,
    outcomeTokenProgram: TOKEN_2022_PROGRAM,
    marketPda: forecast.round,
    outcomeSide: forecast.side,
    lifecycleStatus:
      forecast.lifecycle === 'open' && now >= market.closeAt ? 'resolving' : forecast.lifecycle,
  };
}
