import type { DeclaredType } from '../../../solana/programs/idl/idl.ts';
import { SWAP_KINDS } from './swap-kinds.ts';

/** The types of the aggregator's arguments, accounts and events. */
export const AGGREGATOR_TYPES: readonly DeclaredType[] = [
  {
    name: 'FeeEvent',
    fields: [
      ['account', 'pubkey'],
      ['mint', 'pubkey'],
      ['amount', 'u64'],
    ],
  },
  {
    name: 'RemainingAccountsInfo',
    fields: [['slices', { vec: { defined: { name: 'RemainingAccountsSlice' } } }]],
  },
  {
    name: 'RemainingAccountsSlice',
    fields: [
      ['accounts_type', 'u8'],
      ['length', 'u8'],
    ],
  },
  {
    name: 'RoutePlanStep',
    fields: [
      ['swap', { defined: { name: 'Swap' } }],
      ['percent', 'u8'],
      ['input_index', 'u8'],
      ['output_index', 'u8'],
    ],
  },
  {
    name: 'RoutePlanStepV2',
    fields: [
      ['swap', { defined: { name: 'Swap' } }],
      ['bps', 'u16'],
      ['input_index', 'u8'],
      ['output_index', 'u8'],
    ],
  },
  { name: 'Side', variants: [['Bid'], ['Ask']] },
  { name: 'Swap', variants: SWAP_KINDS },
  {
    name: 'CandidateSwap',
    variants: [
      [
        'HumidiFi',
        [
          ['swap_id', 'u64'],
          ['is_base_to_quote', 'bool'],
        ],
      ],
      ['TesseraV', [['side', { defined: { name: 'Side' } }]]],
      [
        'HumidiFiV2',
        [
          ['swap_id', 'u64'],
          ['is_base_to_quote', 'bool'],
        ],
      ],
    ],
  },
  {
    name: 'SwapEvent',
    fields: [
      ['amm', 'pubkey'],
      ['input_mint', 'pubkey'],
      ['input_amount', 'u64'],
      ['output_mint', 'pubkey'],
      ['output_amount', 'u64'],
    ],
  },
  {
    name: 'SwapEventV2',
    fields: [
      ['input_mint', 'pubkey'],
      ['input_amount', 'u64'],
      ['output_mint', 'pubkey'],
      ['output_amount', 'u64'],
    ],
  },
  { name: 'SwapsEvent', fields: [['swap_events', { vec: { defined: { name: 'SwapEventV2' } } }]] },
  {
    name: 'TokenLedger',
    fields: [
      ['token_account', 'pubkey'],
      ['amount', 'u64'],
    ],
  },
];
