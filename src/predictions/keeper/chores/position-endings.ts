import type { Chain } from '../../../chain/chain.ts';
import {
  createClaimPredictionPayoutAsKeeper,
  createClaimPredictionRefund,
  createCloseLostPredictionPosition,
  createClosePredictionPosition,
} from '../../../protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { OpenPredictionPosition, PostedPredictionResult, PredictionAccounts } from '../../prediction.ts';
import type { Chore, ChoreKind } from './keeper-chores.ts';
import { openReceiver } from './order-endings.ts';

/** How long the account of a position stays after its last change, so that its owner sees how it ended. In seconds: a week. */
export const POSITION_SHOWN_SECONDS = 604_800n;

/** What a position of a market with a result needs next. */
export type PositionEnding = Extract<ChoreKind, 'claim' | 'refund' | 'close-lost' | 'close-position'>;

/**
 * Returns what the keeper does about a position of a market with a result; null if nothing for now.
 *
 * @param now - The chain's time, in Unix seconds.
 * @param settlementDelay - How long owners have to claim by themselves before the keeper does, in seconds.
 */
export function findPositionEnding(
  position: OpenPredictionPosition,
  { outcome, settlementTime, claimsEnabled }: PostedPredictionResult,
  { now, settlementDelay }: { readonly now: bigint; readonly settlementDelay: bigint },
): PositionEnding | null {
  const { contracts, openOrders, isYes, updatedAt } = position;
  if (now < settlementTime) return null;
  if (contracts === 0n) {
    const since = updatedAt > settlementTime ? updatedAt : settlementTime;
    return openOrders === 0 && now >= since + POSITION_SHOWN_SECONDS ? 'close-position' : null;
  }
  // The program pays the halves of a cancelled market as early as refunds.
  if (outcome === 2 || outcome === 3) return claimsEnabled ? 'refund' : null;
  if (isYes !== (outcome === 1)) return 'close-lost';
  return claimsEnabled && now >= settlementTime + settlementDelay ? 'claim' : null;
}

export interface PositionEndingDependencies {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly accounts: Pick<PredictionAccounts, 'findPosition'>;
  readonly keeper: Address;
}

/**
 * Creates the chore that ends a position.
 *
 * @param findEnding - Asked again before each attempt, because the owner may have claimed meanwhile.
 */
export function createPositionEnding(
  { chain, accounts, keeper }: PositionEndingDependencies,
  { address, owner }: OpenPredictionPosition,
  kind: PositionEnding,
  findEnding: (position: OpenPredictionPosition) => PositionEnding | null,
): Chore {
  return {
    kind,
    account: address,
    wallet: owner,
    compose: async () => {
      const position = accounts.findPosition(address);
      if (position === null || findEnding(position) !== kind) return null;
      const isPaid = kind === 'claim' || kind === 'refund';
      const opened = isPaid ? await openReceiver(chain, owner, keeper) : { instructions: [], rent: 0n };
      const instructions = [...opened.instructions, createEnding(kind, position, keeper)];
      return { instructions, wallet: owner, rent: opened.rent, isGift: opened.rent > 0n };
    },
  };
}

function createEnding(kind: PositionEnding, position: OpenPredictionPosition, keeper: Address): Instruction {
  switch (kind) {
    case 'claim':
      return createClaimPredictionPayoutAsKeeper(position, keeper);
    case 'refund':
      return createClaimPredictionRefund(position, keeper);
    case 'close-lost':
      return createCloseLostPredictionPosition(position, keeper);
    case 'close-position':
      return createClosePredictionPosition(position, position.payer, keeper);
  }
}
