import { toHeldPosition } from '../../../../forecasts/crafting/held-position.ts';
import type { ForecastHolding } from '../../../../forecasts/forecast.ts';
import type { OpenPredictionPosition, PredictionMarket } from '../../../../predictions/prediction.ts';
import type { Address } from '../../../../solana/address.ts';
import type { PredictionDesk } from '../prediction-services.ts';

type PositionSources = Pick<PredictionDesk, 'accounts' | 'forecasts'>;

/** Waits until what a wallet's forecasts have cost counts every trade that was confirmed before the call. */
export async function waitForCosts(
  { forecasts }: Pick<PositionSources, 'forecasts'>,
  owner: Address | null,
): Promise<void> {
  if (forecasts === null || owner === null) return;
  // Nobody else has to wait for the record.
  if (forecasts.holdings.holdingsOf(owner).length > 0) await forecasts.holdings.catchUp();
}

/** Finds a position of either kind: that of orders, or what a token account holds of a forecast. */
export function findHeldPosition(
  { accounts, forecasts }: PositionSources,
  address: Address,
): OpenPredictionPosition | null {
  const position = accounts.findPosition(address);
  if (position !== null || forecasts === null) return position;
  const holding = forecasts.holdings.find(address);
  return holding === null ? null : toHeldPosition(holding, forecasts.rounds);
}

/** Returns the positions of a wallet, of both kinds, in no order. */
export function listOwnerPositions(
  { accounts, forecasts }: PositionSources,
  owner: Address,
): readonly OpenPredictionPosition[] {
  return [...accounts.positionsOf(owner), ...toPositions(forecasts, forecasts?.holdings.holdingsOf(owner))];
}

/** Returns the positions in a market, in no order. */
export function listMarketPositions(
  { accounts, forecasts }: PositionSources,
  { forecast, marketIdHash }: Pick<PredictionMarket, 'forecast' | 'marketIdHash'>,
): readonly OpenPredictionPosition[] {
  if (forecast === null) return accounts.positionsIn(marketIdHash);
  return toPositions(forecasts, forecasts?.holdings.holdersOf(forecast.outcomeMint));
}

function toPositions(
  forecasts: PredictionDesk['forecasts'],
  holdings: readonly ForecastHolding[] = [],
): readonly OpenPredictionPosition[] {
  if (forecasts === null) return [];
  return holdings.flatMap((holding) => toHeldPosition(holding, forecasts.rounds) ?? []);
}
