import type { ProgramInstructions, ReadArguments } from '../../protocol/instructions/program-instructions.ts';
import { FORECAST_PROGRAM } from './forecast-program.ts';

const SIDES = 'up_side down_side up_mint down_mint';
const RETURN = 'vault reserve token_program';

function findInput({ is_buy: isBuy }: ReadArguments): string {
  return isBuy === true ? 'usdc_account' : 'outcome_mint';
}

function findOutput({ is_buy: isBuy }: ReadArguments): string {
  return isBuy === true ? 'outcome_mint' : 'usdc_account';
}

/** The instructions of the forecasts of prices. */
export const FORECAST_INSTRUCTIONS: ProgramInstructions = {
  program: FORECAST_PROGRAM,
  label: 'BisonFi forecast',
  instructions: [
    {
      name: 'swap',
      args: [
        ['is_buy', 'bool'],
        ['amount_in', 'u64', findInput],
        ['minimum_amount_out', 'u64', findOutput],
      ],
      accounts:
        'authority side round price_feed outcome_mint vault usdc_account outcome_account token_program token_2022_program',
    },
    {
      name: 'pay_out',
      accounts:
        'signer round outcome_mint outcome_account owner usdc_account vault usdc_mint token_program token_2022_program associated_token_program system_program',
    },
    {
      name: 'open_round',
      args: [
        ['schedule', 'u8'],
        ['open_time', 'i64'],
      ],
      accounts: `operator config round ${SIDES} price_feed vault authority reserve usdc_mint token_program token_2022_program associated_token_program system_program`,
    },
    { name: 'settle', accounts: `round price_update ${RETURN} price_feed` },
    { name: 'void', accounts: `round ${RETURN}` },
    {
      name: 'close_round',
      accounts: `operator round ${SIDES} vault reserve token_program token_2022_program`,
    },
    { name: 'set_schedules', accounts: 'operator config' },
    {
      name: 'withdraw',
      args: [['amount', 'u64', 'reserve']],
      accounts: 'operator config authority reserve destination token_program',
    },
  ],
};
