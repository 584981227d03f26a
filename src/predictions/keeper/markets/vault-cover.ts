import type { Chain } from '../../../chain/chain.ts';
import { computeHouseWorstLoss } from '../../../exchange/house.ts';
import {
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../../../protocols/jupiter-prediction/prediction-program.ts';
import { decodePredictionVault } from '../../../protocols/jupiter-prediction/prediction-vault.ts';
import { readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { maximum } from '../../../solana/units.ts';
import type { PredictionAccounts, PredictionMarket } from '../../prediction.ts';

/** What the keeper needs to know of the vault. */
export interface ReadVault {
  /** Micro USD that it holds. */
  readonly tokens: bigint;
  /** How long after the settlement the keeper has to wait before it claims for owners, in seconds. */
  readonly settlementDelay: bigint;
}

/**
 * Reads the vault. Returns null if the network has none.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function readVault(chain: Pick<Chain, 'getAccounts'>): Promise<ReadVault | null> {
  const [vault, tokens] = await chain.getAccounts([PREDICTION_VAULT.address, PREDICTION_VAULT_TOKEN_ACCOUNT]);
  const decoded =
    vault?.account === null || vault === undefined ? null : decodePredictionVault(vault.account.data);
  if (decoded === null || tokens?.account === null || tokens === undefined) return null;
  return {
    tokens: readTokenAccountAmount(tokens.account.data),
    settlementDelay: decoded.settlementDelaySeconds,
  };
}

/** The positions that a vault has to pay. */
export type CoveredPositions = Pick<PredictionAccounts, 'sumOf' | 'findResult'>;

/** Returns the most that the positions of a market can still be paid, in micro USD. */
export function computeOwed(positions: CoveredPositions, marketIdHash: string): bigint {
  const { yes, no, cost } = positions.sumOf(marketIdHash);
  switch (positions.findResult(marketIdHash)?.outcome) {
    case 0:
      return no;
    case 1:
      return yes;
    case 2:
      return (yes + no) / 2n;
    case 3:
      return cost;
    case undefined:
      return maximum(yes, no);
  }
}

/** Returns by how much the house can still lower what the vault has beyond what a market is owed, in micro USD. */
export function computeHouseRisk(
  positions: Pick<PredictionAccounts, 'sumOf'>,
  { marketIdHash, house }: Pick<PredictionMarket, 'marketIdHash' | 'house'>,
): bigint {
  const { yes, no } = positions.sumOf(marketIdHash);
  return computeHouseWorstLoss(house, yes - no);
}

/**
 * Returns how much the vault must hold, in micro USD: what the positions of all markets can be paid in the worst case, and what
 * the house can still lose on those that it trades. The reserve of a market that has halted is free only as far as it is not
 * needed for refunds, because the market can still be cancelled.
 *
 * @param isTraded - Whether the house trades a market.
 */
export function computeRequired(
  positions: CoveredPositions,
  markets: Iterable<PredictionMarket>,
  isTraded: (market: PredictionMarket) => boolean,
): bigint {
  let sum = 0n;
  for (const market of markets) {
    sum += computeOwed(positions, market.marketIdHash);
    sum += isTraded(market) ? computeHouseRisk(positions, market) : computeRefundRisk(positions, market);
  }
  return sum;
}

/** Returns how much more than its larger side a market that is not traded may be owed, because it can still be cancelled. */
function computeRefundRisk(positions: CoveredPositions, market: PredictionMarket): bigint {
  const { marketIdHash, result } = market;
  if (result !== null || positions.findResult(marketIdHash) !== null) return 0n;
  if (findCancelOutcome(positions, market) === 2) return 0n;
  const { yes, no, cost } = positions.sumOf(marketIdHash);
  return maximum(cost - maximum(yes, no), 0n);
}

/**
 * Returns how a cancelled market ends: 3, by which every position gets back what it has cost; or 2, by which each contract pays
 * half a dollar. Positions can have cost more than the market has taken in, because contracts can be sold on at any price, even to
 * another wallet of the same person. Refunds are paid as far as the market itself covers them.
 */
export function findCancelOutcome(
  positions: Pick<PredictionAccounts, 'sumOf'>,
  market: Pick<PredictionMarket, 'marketIdHash' | 'house'>,
): 2 | 3 {
  const { yes, no, cost } = positions.sumOf(market.marketIdHash);
  const covered = maximum(yes, no) + computeHouseRisk(positions, market);
  return cost <= covered ? 3 : 2;
}
