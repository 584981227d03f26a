import type { PredictionMarket } from '../prediction.ts';

/** Returns whether a market is open for trading in a Unix second: it has opened, not closed, and nobody has decided it. */
export function isOpenForTrading(
  { status, openAt, closeAt }: Pick<PredictionMarket, 'status' | 'openAt' | 'closeAt'>,
  now: number,
): boolean {
  return status === 'open' && openAt <= now && now < closeAt;
}
