import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { PREDICTION_ERRORS } from './errors.ts';
import { jupiterPredictionGenesis } from './genesis.ts';
import { JUPITER_PREDICTION_PLATFORM } from './platform.ts';
import { PREDICTION_PROGRAM } from './prediction-program.ts';
import { PREDICTION_INSTRUCTIONS } from './prediction-decoding.ts';
import { PREDICTION_ACCOUNTS } from './prediction-account-types.ts';

/** The program of prediction markets, which holds orders, positions and results. */
export const jupiterPredictionProtocol: Protocol = {
  name: 'jupiter-prediction',
  programs: [{ name: 'prediction', address: PREDICTION_PROGRAM, loadsAfterAggregator: true }],
  platforms: [JUPITER_PREDICTION_PLATFORM],
  genesis: jupiterPredictionGenesis,
  errors: [{ program: PREDICTION_PROGRAM, names: PREDICTION_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [PREDICTION_INSTRUCTIONS],
  accounts: [PREDICTION_ACCOUNTS],
};
