import { MICRO_DOLLARS, type ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeLimitOrderV1, LIMIT_ORDER_V1_PROGRAM } from './limit-v1-layout.ts';
import { decodeValueAverageOrder, VALUE_AVERAGE_PROGRAM } from './value-average-layout.ts';

const OF_INPUT = { amountOf: 'inputMint' };
const OF_OUTPUT = { amountOf: 'outputMint' };

/** The accounts of the order programs that have no other use here than to show what wallets have in them. */
export const ORDER_ACCOUNTS: readonly ProgramAccounts[] = [
  {
    program: LIMIT_ORDER_V1_PROGRAM,
    label: 'Jupiter limit orders (first version)',
    types: [
      {
        name: 'Limit order',
        summary:
          'An order that sells a token for at least a price. "Making" is what it sells, "taking" what it buys.',
        read: decodeLimitOrderV1,
        fields: {
          originalMaking: OF_INPUT,
          making: OF_INPUT,
          originalTaking: OF_OUTPUT,
          taking: OF_OUTPUT,
          expiredAt: 'time',
        },
      },
    ],
  },
  {
    program: VALUE_AVERAGE_PROGRAM,
    label: 'Jupiter value averaging',
    types: [
      {
        name: 'Value-averaging order',
        summary: 'An order that lets the value of its output grow by the same amount in every interval.',
        read: decodeValueAverageOrder,
        fields: {
          incrementUsdc: MICRO_DOLLARS,
          createdAt: 'time',
          inDeposited: OF_INPUT,
          inLeft: OF_INPUT,
          inUsed: OF_INPUT,
          inWithdrawn: OF_INPUT,
          outReceived: OF_OUTPUT,
          outWithdrawn: OF_OUTPUT,
        },
      },
    ],
  },
];
