import { describeAnchorAccount } from '../../protocol/accounts/interface-accounts.ts';
import {
  BASIS_POINTS,
  MICRO_DOLLARS,
  type ProgramAccounts,
} from '../../protocol/accounts/program-accounts.ts';
import {
  decodeCustody,
  decodePerpetualPosition,
  decodePositionRequest,
  PERPETUALS_PROGRAM,
} from './layout.ts';

/** The accounts of the perpetuals. */
export const PERPETUAL_ACCOUNTS: ProgramAccounts = {
  program: PERPETUALS_PROGRAM,
  label: 'Jupiter perpetuals',
  types: [
    {
      name: 'Perpetual position',
      summary: 'A bet on a price, larger than what secures it.',
      read: decodePerpetualPosition,
      fields: { price: MICRO_DOLLARS, sizeUsd: MICRO_DOLLARS, collateralUsd: MICRO_DOLLARS },
    },
    {
      name: 'Request of a position',
      summary: 'A change of a position that waits to be carried out, such as an order at a price.',
      read: decodePositionRequest,
      fields: { triggerPrice: MICRO_DOLLARS },
    },
    {
      name: 'Custody',
      summary: 'What the pool holds of one token, and the terms on which positions borrow it.',
      read: decodeCustody,
      fields: {
        owned: { amountOf: 'mint' },
        locked: { amountOf: 'mint' },
        interestUpdatedAt: 'time',
        maxLeverage: { decimals: 4, symbol: 'times' },
        tradeImpactFeeScalar: MICRO_DOLLARS,
        min: BASIS_POINTS,
        max: BASIS_POINTS,
        target: BASIS_POINTS,
        targetUse: { outOf: 1_000_000_000 },
        decreasePositionBps: BASIS_POINTS,
      },
    },
    describeAnchorAccount(
      'Pool',
      [
        ['name', 'string'],
        ['custodies', { vec: 'pubkey' }],
        ['aumUsd', 'u128'],
        ['maxAumUsd', 'u128'],
      ],
      {
        name: 'Pool of custodies',
        summary: 'All tokens against which positions are opened. Its token is a share of them.',
        fields: { name: 'text', aumUsd: MICRO_DOLLARS, maxAumUsd: MICRO_DOLLARS },
      },
    ),
    describeAnchorAccount('Perpetuals', [], {
      name: 'Program settings',
      summary: 'What the program allows, and its pools.',
    }),
  ],
};
