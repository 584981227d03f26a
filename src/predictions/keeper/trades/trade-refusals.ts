import { PREDICTION_ERRORS } from '../../../protocols/jupiter-prediction/errors.ts';
import { PREDICTION_PROGRAM } from '../../../protocols/jupiter-prediction/prediction-program.ts';
import type { TransactionFailure } from '../../../transactions/transaction-failure.ts';

const FIRST_CODE = 6_000;
/** The errors of the program while its admin lets nobody trade. Orders wait for the end of it. */
const PAUSED: ReadonlySet<string | undefined> = new Set(['TradingDisabled', 'DepositsDisabled']);

/** Whether the program refuses fills for now, whatever the order. */
export function isTradingPaused({ code, program }: TransactionFailure): boolean {
  return program === PREDICTION_PROGRAM && code !== null && PAUSED.has(PREDICTION_ERRORS[code - FIRST_CODE]);
}
