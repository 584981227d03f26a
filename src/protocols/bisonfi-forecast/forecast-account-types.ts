import { MICRO_DOLLARS, type ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeForecastRound, decodeForecastSide } from './forecast-accounts.ts';
import { decodeForecastConfig } from './forecast-config.ts';
import { FORECAST_PROGRAM } from './forecast-program.ts';

const TOKENS = { decimals: 6, symbol: 'tokens' };
const TERMS = {
  asset: 'text',
  deviation: { outOf: 1_000_000 },
  halfSpread: MICRO_DOLLARS,
  slope: MICRO_DOLLARS,
  funding: MICRO_DOLLARS,
} as const;

/** The accounts of forecasts. */
export const FORECAST_ACCOUNTS: ProgramAccounts = {
  program: FORECAST_PROGRAM,
  types: [
    {
      name: 'Forecast round',
      summary:
        'A round on whether a price goes up or down. Each side has a token, which pays a dollar if it wins.',
      read: decodeForecastRound,
      fields: {
        ...TERMS,
        openTime: 'time',
        closeTime: 'time',
        settledAt: 'time',
        upOutstanding: TOKENS,
        downOutstanding: TOKENS,
        volume: MICRO_DOLLARS,
      },
    },
    {
      name: 'Side of a forecast round',
      summary: 'One of the two tokens of a round, and the vault that it is traded against.',
      read: decodeForecastSide,
      fields: { closeTime: 'time' },
    },
    {
      name: 'Forecast settings',
      summary: 'Which rounds are opened, and on which terms.',
      read: decodeForecastConfig,
      fields: TERMS,
    },
  ],
};
