import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeDbcConfig } from './program/layout-config.ts';
import { decodeDbcPool } from './program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from './program/program.ts';

const PERCENT = { outOf: 100 };
const OF_BASE = { amountOf: 'baseMint' };
const OF_QUOTE = { amountOf: 'quoteVault' };

/** The accounts of Meteora's bonding curves. */
export const DBC_ACCOUNTS: ProgramAccounts = {
  program: METEORA_DBC_PROGRAM,
  types: [
    {
      name: 'Bonding curve',
      summary: 'A launched token that is sold along a curve until enough was paid for a pool of its own.',
      read: decodeDbcPool,
      fields: {
        baseReserve: OF_BASE,
        quoteReserve: OF_QUOTE,
        protocolBaseFee: OF_BASE,
        protocolQuoteFee: OF_QUOTE,
        partnerBaseFee: OF_BASE,
        partnerQuoteFee: OF_QUOTE,
        creatorBaseFee: OF_BASE,
        creatorQuoteFee: OF_QUOTE,
        totalProtocolBaseFee: OF_BASE,
        totalProtocolQuoteFee: OF_QUOTE,
        totalTradingBaseFee: OF_BASE,
        totalTradingQuoteFee: OF_QUOTE,
        protocolMigrationBaseFeeAmount: OF_BASE,
        protocolMigrationQuoteFeeAmount: OF_QUOTE,
        finishCurveTimestamp: 'time',
        lastUpdateTimestamp: 'time',
        isMigrated: { names: { 0: 'no', 1: 'yes' } },
        poolType: { names: { 0: 'Token program', 1: 'Token-2022 program' } },
        protocolLiquidityMigrationFeeBps: { outOf: 10_000 },
      },
    },
    {
      name: 'Terms of launches',
      summary: 'The curve, the fees and the shares of the tokens that are launched under it.',
      read: decodeDbcConfig,
      fields: {
        migrationQuoteThreshold: { amountOf: 'quoteMint' },
        partnerPermanentLockedLiquidityPercentage: PERCENT,
        partnerLiquidityPercentage: PERCENT,
        creatorPermanentLockedLiquidityPercentage: PERCENT,
        creatorLiquidityPercentage: PERCENT,
        creatorTradingFeePercentage: PERCENT,
        migrationFeePercentage: PERCENT,
        creatorMigrationFeePercentage: PERCENT,
        collectFeeMode: { names: { 0: 'quote token', 1: 'output token' } },
        activationType: { names: { 0: 'slot', 1: 'time' } },
        tokenType: { names: { 0: 'Token program', 1: 'Token-2022 program' } },
      },
    },
  ],
};
