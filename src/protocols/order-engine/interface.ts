import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import type { ProgramInterface } from '../../solana/programs/idl/idl.ts';
import { ORDER_ENGINE_PROGRAM } from './fill-instruction.ts';

/** The interface of the order engine. */
export const ORDER_ENGINE_INTERFACE: ProgramInterface = {
  name: 'order_engine',
  version: '0.1.0',
  address: ORDER_ENGINE_PROGRAM,
  instructions: [
    {
      name: 'fill',
      accounts: [
        ['taker', 'writable signer'],
        ['maker', 'writable signer'],
        ['taker_input_mint_token_account', 'writable optional'],
        ['maker_input_mint_token_account', 'writable optional'],
        ['taker_output_mint_token_account', 'writable optional'],
        ['maker_output_mint_token_account', 'writable optional'],
        ['input_mint', ''],
        ['input_token_program', ''],
        ['output_mint', ''],
        ['output_token_program', ''],
        ['system_program', '', SYSTEM_PROGRAM],
      ],
      args: [
        ['input_amount', 'u64'],
        ['output_amount', 'u64'],
        ['expire_at', 'i64'],
      ],
    },
  ],
  types: [],
  accounts: [],
  events: [],
  errors: [
    'InvalidCalculation',
    'MissingTemporaryWrappedSolTokenAccount',
    'Token2022MintExtensionNotSupported',
  ],
};
