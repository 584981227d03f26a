import { describeAnchorAccount } from '../../protocol/accounts/interface-accounts.ts';
import { BASIS_POINTS, type ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeLimitOrder } from './layout.ts';
import { LIMIT_ORDER_PROGRAM } from './program.ts';

const OF_INPUT = { amountOf: 'inputMint' };
const OF_OUTPUT = { amountOf: 'outputMint' };

/** The accounts of the program of limit orders. */
export const LIMIT_ORDER_ACCOUNTS: ProgramAccounts = {
  program: LIMIT_ORDER_PROGRAM,
  types: [
    {
      name: 'Limit order',
      summary:
        'An order that sells a token for at least a price. "Making" is what it sells, "taking" what it buys.',
      read: decodeLimitOrder,
      fields: {
        originalMaking: OF_INPUT,
        making: OF_INPUT,
        borrowedMaking: OF_INPUT,
        originalTaking: OF_OUTPUT,
        taking: OF_OUTPUT,
        stopLossTaking: OF_OUTPUT,
        expiredAt: 'time',
        createdAt: 'time',
        updatedAt: 'time',
        feeBps: BASIS_POINTS,
        slippageBps: BASIS_POINTS,
      },
    },
    describeAnchorAccount(
      'Fee',
      [
        ['normalFeeBps', 'u16'],
        ['stableFeeBps', 'u16'],
      ],
      {
        name: 'Fees of limit orders',
        summary: 'The fees that fills of limit orders pay.',
        fields: { normalFeeBps: BASIS_POINTS, stableFeeBps: BASIS_POINTS },
      },
    ),
  ],
};
