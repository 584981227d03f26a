import type { Address } from '../../../solana/address.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../../solana/messages/instruction.ts';
import { type ForecastSchedule, writeForecastSchedules } from '../forecast-config.ts';
import { FORECAST_AUTHORITY, FORECAST_CONFIG, FORECAST_RESERVE } from '../forecast-program.ts';
import {
  createForecastInstruction,
  FORECAST_CALLED_PROGRAMS,
  FORECAST_TAGS,
  startForecastData,
} from './forecast-instruction.ts';

// The instructions of the operator that concern no round.

/** Creates `set_schedules`, which replaces all schedules. Rounds that are open keep their own numbers. */
export function createSetForecastSchedules(
  operator: Address,
  schedules: readonly ForecastSchedule[],
): Instruction {
  const data = writeForecastSchedules(startForecastData(FORECAST_TAGS.setSchedules), schedules);
  return createForecastInstruction([readonlySigner(operator), writable(FORECAST_CONFIG)], data);
}

/** Creates `withdraw`, by which the operator takes USDC out of the reserve. */
export function createWithdrawForecastReserve(
  operator: Address,
  { amount, destination }: { readonly amount: bigint; readonly destination: Address },
): Instruction {
  const accounts = [
    readonlySigner(operator),
    readonly(FORECAST_CONFIG),
    readonly(FORECAST_AUTHORITY.address),
    writable(FORECAST_RESERVE),
    writable(destination),
    FORECAST_CALLED_PROGRAMS.token,
  ];
  return createForecastInstruction(accounts, startForecastData(FORECAST_TAGS.withdraw).u64(amount));
}
