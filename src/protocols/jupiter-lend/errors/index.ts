import { ANCHOR_FIRST_ERROR, type ProgramErrors } from '../../../protocol/venue/venue.ts';
import {
  FLASHLOAN_PROGRAM,
  LEND_AMM_PROGRAM,
  LENDING_PROGRAM,
  LIQUIDITY_PROGRAM,
  ORACLE_PROGRAM,
  REWARDS_PROGRAM,
  VAULTS_PROGRAM,
} from '../lending-base/programs.ts';
import { FLASHLOAN_ERRORS } from './flashloan.ts';
import { LEND_AMM_ERRORS } from './lend-amm.ts';
import { LENDING_ERRORS } from './lending.ts';
import { LIQUIDITY_ERRORS } from './liquidity.ts';
import { ORACLE_ERRORS } from './oracle.ts';
import { REWARDS_ERRORS } from './rewards.ts';
import { VAULTS_ERRORS } from './vaults.ts';

const SIMULATION_RESULT = 'The swap was asked only for its result and moves nothing; it did not fail';

/**
 * The codes of the Lend AMM that are not failures. A swap that is only simulated ends with one of them, and reports the
 * amount that it would have moved.
 */
const LEND_AMM_RESULTS: ReadonlyMap<number, string> = new Map([
  [6081, SIMULATION_RESULT],
  [6082, SIMULATION_RESULT],
]);

/** The errors of all lending programs, which are Anchor programs. */
export const JUPITER_LEND_ERRORS: readonly ProgramErrors[] = [
  { program: LENDING_PROGRAM, names: LENDING_ERRORS, firstCode: ANCHOR_FIRST_ERROR },
  { program: LIQUIDITY_PROGRAM, names: LIQUIDITY_ERRORS, firstCode: ANCHOR_FIRST_ERROR },
  { program: REWARDS_PROGRAM, names: REWARDS_ERRORS, firstCode: ANCHOR_FIRST_ERROR },
  { program: VAULTS_PROGRAM, names: VAULTS_ERRORS, firstCode: ANCHOR_FIRST_ERROR },
  { program: ORACLE_PROGRAM, names: ORACLE_ERRORS, firstCode: ANCHOR_FIRST_ERROR },
  { program: FLASHLOAN_PROGRAM, names: FLASHLOAN_ERRORS, firstCode: ANCHOR_FIRST_ERROR },
  {
    program: LEND_AMM_PROGRAM,
    names: LEND_AMM_ERRORS,
    firstCode: ANCHOR_FIRST_ERROR,
    explanations: LEND_AMM_RESULTS,
  },
];
