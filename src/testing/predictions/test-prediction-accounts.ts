import type { AccountUpdate } from '../../chain/accounts.ts';
import {
  encodePredictionOrder,
  encodePredictionPosition,
  encodePredictionResult,
  type PredictionOrderAccount,
  type PredictionPositionAccount,
  type PredictionResultAccount,
} from '../../protocols/jupiter-prediction/prediction-accounts.ts';
import {
  derivePredictionOrder,
  derivePredictionPosition,
  derivePredictionResult,
  PREDICTION_PROGRAM,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';

/** Wallets of tests. */
export const [ALICE, BOB] = [1, 2].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
];

/** The hash of a market of tests. */
export function createMarketHash(number: number): string {
  return String(number).padStart(32, '0');
}

/** Creates an account as a chain reports it. */
export function createPredictionUpdate(
  address: Address,
  data: Uint8Array | null,
  slot: bigint,
): AccountUpdate {
  const account = { lamports: 1n, owner: PREDICTION_PROGRAM, executable: false, rentEpoch: 0n };
  return { address, slot, account: data === null ? null : { ...account, data } };
}

/** Creates an order that waits, with its address. */
export function createTestPredictionOrder(number: number, change: Partial<PredictionOrderAccount> = {}) {
  const account: PredictionOrderAccount = {
    owner: ALICE,
    position: ALICE,
    status: 'pending',
    marketIdHash: createMarketHash(1),
    isYes: true,
    isBuy: true,
    createdAt: 1_800_000_000n,
    contracts: 10_000_000n,
    limitPrice: 500_000n,
    filledAt: 0n,
    filledContracts: 0n,
    averagePrice: 0n,
    orderId: null,
    externalOrderId: String(number).padStart(32, '0'),
    bump: 255,
    isLimit: false,
    payer: ALICE,
    integrator: SYSTEM_PROGRAM,
    integratorFeeBps: 0,
    unitVersion: 1,
    filledCost: 0n,
    filledFees: 0n,
    ...change,
  };
  const { address } = derivePredictionOrder(account.owner, account.externalOrderId);
  return { address, data: encodePredictionOrder(account) };
}

/** Creates a position of 10 contracts, which have cost 4.00, with its address. */
export function createTestPredictionPosition(change: Partial<PredictionPositionAccount> = {}) {
  const account: PredictionPositionAccount = {
    owner: ALICE,
    marketIdHash: createMarketHash(1),
    isYes: true,
    isClaimed: false,
    claimed: 0n,
    openedAt: 1_800_000_000n,
    contracts: 10_000_000n,
    totalCost: 4_000_000n,
    openOrders: 0,
    feesPaid: 100_000n,
    realizedPnl: 0n,
    updatedAt: 1_800_000_000n,
    bump: 255,
    unitVersion: 1,
    payer: ALICE,
    ...change,
  };
  const { address } = derivePredictionPosition(account.marketIdHash, account.owner, account.isYes);
  return { address, data: encodePredictionPosition(account) };
}

/** Creates the result of a market, which yes has won, with its address. */
export function createTestPredictionResult(change: Partial<PredictionResultAccount> = {}) {
  const account: PredictionResultAccount = {
    marketIdHash: createMarketHash(1),
    outcome: 1,
    settlementTime: 1_800_000_100n,
    claimsEnabled: true,
    createdAt: 1_800_000_100n,
    bump: 255,
    ...change,
  };
  return {
    address: derivePredictionResult(account.marketIdHash).address,
    data: encodePredictionResult(account),
  };
}
