import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { FORECAST_ERRORS } from './errors.ts';
import { FORECAST_PROGRAM } from './forecast-program.ts';
import { bisonfiForecastGenesis } from './genesis.ts';
import { bisonFi } from './venue.ts';
import { FORECAST_INSTRUCTIONS } from './forecast-decoding.ts';
import { FORECAST_ACCOUNTS } from './forecast-account-types.ts';

/** The program of forecasts: rounds on a price feed, whose two tokens the house itself sells and buys. */
export const bisonfiForecastProtocol: Protocol = {
  name: 'bisonfi-forecast',
  programs: [{ name: 'forecast', address: FORECAST_PROGRAM, loadsAfterAggregator: true }],
  venue: bisonFi,
  genesis: bisonfiForecastGenesis,
  errors: [{ program: FORECAST_PROGRAM, names: FORECAST_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [FORECAST_INSTRUCTIONS],
  accounts: [FORECAST_ACCOUNTS],
};
