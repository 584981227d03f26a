import type { Address } from '../../../solana/address.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import type { ForecastSchedule } from '../forecast-config.ts';
import {
  deriveForecastRound,
  deriveForecastSide,
  deriveForecastVault,
  deriveOutcomeMint,
  FORECAST_AUTHORITY,
  FORECAST_CONFIG,
  FORECAST_RESERVE,
  FORECAST_USDC,
} from '../forecast-program.ts';
import {
  createForecastInstruction,
  FORECAST_CALLED_PROGRAMS,
  FORECAST_TAGS,
  startForecastData,
} from './forecast-instruction.ts';

// The instructions by which a round is opened, gets its result and is closed.

/** A round that is to be opened. */
export interface OpeningForecastRound {
  /** Signs, and pays for the accounts. */
  readonly operator: Address;
  /** The place of the schedule in the settings. */
  readonly index: number;
  readonly schedule: Pick<ForecastSchedule, 'feed' | 'seconds'>;
  /** A multiple of the seconds that the round lasts. */
  readonly openTime: bigint;
}

/** Creates `open_round`, by which the operator opens a round at the feed's price of now. It takes some 80,000 units. */
export function createOpenForecastRound(opening: OpeningForecastRound): Instruction {
  const { operator, index, schedule, openTime } = opening;
  const { feed, seconds } = schedule;
  const round = deriveForecastRound({ feed, seconds, openTime }).address;
  const accounts = [
    writableSigner(operator),
    readonly(FORECAST_CONFIG),
    writable(round),
    ...listSides(round),
    readonly(feed),
    writable(deriveForecastVault(round)),
    readonly(FORECAST_AUTHORITY.address),
    writable(FORECAST_RESERVE),
    readonly(FORECAST_USDC),
    FORECAST_CALLED_PROGRAMS.token,
    FORECAST_CALLED_PROGRAMS.token2022,
    FORECAST_CALLED_PROGRAMS.associatedToken,
    FORECAST_CALLED_PROGRAMS.system,
  ];
  return createForecastInstruction(
    accounts,
    startForecastData(FORECAST_TAGS.openRound).u8(index).i64(openTime),
  );
}

/** A round that is to get its result. */
export interface SettlingForecastRound {
  readonly round: Address;
  readonly feed: Address;
  /** An account with the feed's first update at or after the close. Default: the feed itself. */
  readonly update?: Address;
}

/** Creates `settle`, by which anybody gives a round its result: from the feed's first update at or after the close. */
export function createSettleForecastRound({
  round,
  feed,
  update = feed,
}: SettlingForecastRound): Instruction {
  const accounts = [writable(round), readonly(update), ...listReturnAccounts(round), readonly(feed)];
  return createForecastInstruction(accounts, startForecastData(FORECAST_TAGS.settle));
}

/** Creates `void`, by which anybody ends a round that has no result 600 seconds after its close. */
export function createVoidForecastRound(round: Address): Instruction {
  const accounts = [writable(round), ...listReturnAccounts(round)];
  return createForecastInstruction(accounts, startForecastData(FORECAST_TAGS.void));
}

/** Creates `close_round`, by which the operator closes the accounts of a round of whose tokens none are left. */
export function createCloseForecastRound(operator: Address, round: Address): Instruction {
  const accounts = [
    writableSigner(operator),
    writable(round),
    ...listSides(round),
    writable(deriveForecastVault(round)),
    writable(FORECAST_RESERVE),
    FORECAST_CALLED_PROGRAMS.token,
    FORECAST_CALLED_PROGRAMS.token2022,
  ];
  return createForecastInstruction(accounts, startForecastData(FORECAST_TAGS.closeRound));
}

function listSides(round: Address): readonly AccountMeta[] {
  return [
    writable(deriveForecastSide(round, 'up').address),
    writable(deriveForecastSide(round, 'down').address),
    writable(deriveOutcomeMint(round, 'up').address),
    writable(deriveOutcomeMint(round, 'down').address),
  ];
}

function listReturnAccounts(round: Address): readonly AccountMeta[] {
  return [writable(deriveForecastVault(round)), writable(FORECAST_RESERVE), FORECAST_CALLED_PROGRAMS.token];
}
