import {
  BASIS_POINTS,
  MICRO_DOLLARS,
  type ProgramAccounts,
} from '../../protocol/accounts/program-accounts.ts';
import {
  decodePredictionOrder,
  decodePredictionPosition,
  decodePredictionResult,
} from './prediction-accounts.ts';
import { PREDICTION_PROGRAM } from './prediction-program.ts';
import { decodePredictionVault } from './prediction-vault.ts';

const CONTRACTS = { decimals: 6, symbol: 'contracts' };

/** The accounts of prediction markets. */
export const PREDICTION_ACCOUNTS: ProgramAccounts = {
  program: PREDICTION_PROGRAM,
  types: [
    {
      name: 'Prediction position',
      summary: 'The contracts of a wallet on one side of a market.',
      read: decodePredictionPosition,
      fields: {
        marketIdHash: 'text',
        claimed: MICRO_DOLLARS,
        openedAt: 'time',
        updatedAt: 'time',
        contracts: CONTRACTS,
        totalCost: MICRO_DOLLARS,
        feesPaid: MICRO_DOLLARS,
        realizedPnl: MICRO_DOLLARS,
      },
    },
    {
      name: 'Prediction order',
      summary: 'An order for contracts of a market, until it is closed.',
      read: decodePredictionOrder,
      fields: {
        marketIdHash: 'text',
        orderId: 'text',
        externalOrderId: 'text',
        createdAt: 'time',
        filledAt: 'time',
        contracts: CONTRACTS,
        filledContracts: CONTRACTS,
        limitPrice: MICRO_DOLLARS,
        averagePrice: MICRO_DOLLARS,
        filledCost: MICRO_DOLLARS,
        filledFees: MICRO_DOLLARS,
        integratorFeeBps: BASIS_POINTS,
      },
    },
    {
      name: 'Result of a market',
      summary: 'How a market ended.',
      read: decodePredictionResult,
      fields: {
        marketIdHash: 'text',
        outcome: { names: { 0: 'no', 1: 'yes', 2: 'split', 3: 'refund' } },
        settlementTime: 'time',
        createdAt: 'time',
      },
    },
    {
      name: 'Prediction vault',
      summary: 'It settles every order. Its keys fill orders and post results.',
      read: decodePredictionVault,
      fields: {
        currentContracts: CONTRACTS,
        globalMaxContracts: CONTRACTS,
        positionMaxContracts: CONTRACTS,
        protocolFeeBps: BASIS_POINTS,
      },
    },
  ],
};
