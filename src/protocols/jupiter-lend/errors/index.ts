import type { Address } from '../../../solana/address.ts';
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

/** The names of the errors of each lending program. The first name is that of code 6000, as in all Anchor programs. */
export const LENDING_PROGRAM_ERRORS: ReadonlyMap<Address, readonly string[]> = new Map([
  [LENDING_PROGRAM, LENDING_ERRORS],
  [LIQUIDITY_PROGRAM, LIQUIDITY_ERRORS],
  [REWARDS_PROGRAM, REWARDS_ERRORS],
  [VAULTS_PROGRAM, VAULTS_ERRORS],
  [ORACLE_PROGRAM, ORACLE_ERRORS],
  [FLASHLOAN_PROGRAM, FLASHLOAN_ERRORS],
  [LEND_AMM_PROGRAM, LEND_AMM_ERRORS],
]);

/**
 * The codes of the Lend AMM that are not failures. A swap that is only simulated ends with one of them, and reports the
 * amount that it would have moved.
 */
const LEND_AMM_RESULTS: ReadonlySet<number> = new Set([6081, 6082]);

/** Returns whether a program's error is the intended end of a simulated swap of the Lend AMM. */
export function isSimulationResult(program: Address, code: number): boolean {
  return program === LEND_AMM_PROGRAM && LEND_AMM_RESULTS.has(code);
}
