import type { WindowStats } from '../../market-data/trades/trade.ts';
import type { OrganicLabel } from '../facts/token.ts';

/** What a score is computed from, over 24 hours. Null: it is not known on this network. */
export interface OrganicSignals {
  /** US dollars that wallets which are no bots traded. */
  readonly volume: number | null;
  readonly holders: number | null;
  readonly traders: number | null;
  /** Wallets that bought and are no bots. */
  readonly buyers: number | null;
}

const SIGNALS = ['volume', 'holders', 'traders', 'buyers'] as const;
/** Signals are scaled by the value that this share of tokens does not exceed. */
const SCALE_QUANTILE = 0.99;
const HIGH = 70;
const MEDIUM = 30;

/** What one hundred percent of each signal is. */
export type OrganicScale = Readonly<Record<(typeof SIGNALS)[number], number>>;

export function getOrganicSignals(stats: WindowStats | null, holders: number | null): OrganicSignals {
  const { buyOrganicVolume = 0, sellOrganicVolume = 0 } = stats ?? {};
  const volume =
    buyOrganicVolume === null || sellOrganicVolume === null ? null : buyOrganicVolume + sellOrganicVolume;
  return {
    volume,
    holders,
    traders: stats === null ? 0 : stats.numTraders,
    buyers: stats === null ? 0 : stats.numOrganicBuyers,
  };
}

/** Returns the 99th percentile of each signal over all tokens, on a logarithmic scale. */
export function computeOrganicScale(tokens: readonly OrganicSignals[]): OrganicScale {
  const scale = { volume: 0, holders: 0, traders: 0, buyers: 0 };
  for (const signal of SIGNALS) {
    const values = Float64Array.from(tokens, (token) => logarithm(token[signal] ?? 0)).sort();
    scale[signal] = values[Math.ceil((values.length - 1) * SCALE_QUANTILE)] ?? 0;
  }
  return scale;
}

/**
 * Computes how much of a token's activity comes from people, from 0 to 100, compared with all other tokens. Each signal
 * counts by its logarithm, so that growth from small numbers counts most. A token that fewer than two wallets traded
 * has no score, and neither has any token where traders are not known.
 */
export function computeOrganicScore(signals: OrganicSignals, scale: OrganicScale): number {
  if (signals.traders === null || signals.traders < 2) return 0;
  let [sum, known] = [0, 0];
  for (const signal of SIGNALS) {
    const value = signals[signal];
    if (value === null) continue;
    known++;
    if (scale[signal] > 0) sum += Math.min(logarithm(value) / scale[signal], 1);
  }
  return known === 0 ? 0 : (100 * sum) / known;
}

export function toOrganicLabel(score: number): OrganicLabel {
  if (score >= HIGH) return 'high';
  return score >= MEDIUM ? 'medium' : 'low';
}

function logarithm(value: number): number {
  return Math.log10(1 + Math.max(value, 0));
}
