import type { ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeDcaFeeAuthority } from './dca-fee-authority.ts';
import { decodeDcaOrder } from './dca-order.ts';
import { DCA_PROGRAM } from './dca-program.ts';

const OF_INPUT = { amountOf: 'inputMint' };
const OF_OUTPUT = { amountOf: 'outputMint' };

/** The accounts of the program of recurring orders. */
export const DCA_ACCOUNTS: ProgramAccounts = {
  program: DCA_PROGRAM,
  types: [
    {
      name: 'Recurring order',
      summary: 'An order that trades an equal part of its input in every cycle.',
      read: decodeDcaOrder,
      fields: {
        nextCycleAt: 'time',
        createdAt: 'time',
        inDeposited: OF_INPUT,
        inWithdrawn: OF_INPUT,
        inUsed: OF_INPUT,
        inAmountPerCycle: OF_INPUT,
        nextCycleAmountLeft: OF_INPUT,
        keeperInBalanceBeforeBorrow: OF_INPUT,
        outWithdrawn: OF_OUTPUT,
        outReceived: OF_OUTPUT,
        minOutAmount: OF_OUTPUT,
        maxOutAmount: OF_OUTPUT,
        dcaOutBalanceBeforeSwap: OF_OUTPUT,
      },
    },
    {
      name: 'Fee authority',
      summary: 'Who may fill recurring orders, and who may withdraw the collected fees.',
      read: decodeDcaFeeAuthority,
    },
  ],
};
