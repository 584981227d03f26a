import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress, findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';

/** The program of forecasts. */
export const FORECAST_PROGRAM = address('2sVcg2dBSUzXkmdZ8M5cp1LbnzDrWJmr6hktkHwB8nY3');

/** The one account of settings, which the genesis writes. */
export const FORECAST_CONFIG = address('8LczfBkVZJhGnTYH8nQke2YC3b83GFZ8qZtfuMRe6AN6');

/** The mint in which everything is paid. It has 6 decimals and belongs to the classic token program. */
export const FORECAST_USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** The program refuses swaps from so long before the close of a round on. In seconds. */
export const FORECAST_CLOSING_SECONDS = 15;

/** A round can get a result until so long after its close, and is void from then on. In seconds. */
export const FORECAST_VOID_AFTER_SECONDS = 600;

/** Owns the reserve, out of which rounds are funded. */
export const FORECAST_AUTHORITY: ProgramAddress = findProgramAddress(FORECAST_PROGRAM, [
  Buffer.from('authority'),
]);

/** The reserve. */
export const FORECAST_RESERVE = deriveForecastUsdc(FORECAST_AUTHORITY.address);

/** A side of a round: that the price rises or stays, or that it falls. */
export type OutcomeSide = 'up' | 'down';

/** Both sides, by their numbers in seeds and accounts. */
export const OUTCOME_SIDES = ['up', 'down'] as const satisfies readonly OutcomeSide[];

/** What the address of a round is derived from. */
export interface ForecastRoundSeeds {
  readonly feed: Address;
  /** How long it lasts. */
  readonly seconds: number;
  /** The Unix second in which it opens. */
  readonly openTime: bigint;
}

/** Derives the address of a round. */
export function deriveForecastRound({ feed, seconds, openTime }: ForecastRoundSeeds): ProgramAddress {
  const numbers = new DataView(new ArrayBuffer(12));
  numbers.setUint32(0, seconds, true);
  numbers.setBigInt64(4, openTime, true);
  const bytes = new Uint8Array(numbers.buffer);
  return findProgramAddress(FORECAST_PROGRAM, [
    Buffer.from('round'),
    toAddressBytes(feed),
    bytes.subarray(0, 4),
    bytes.subarray(4),
  ]);
}

/** Derives the account of one side of a round, which venues know as the pool. */
export function deriveForecastSide(round: Address, side: OutcomeSide): ProgramAddress {
  return deriveOfSide('side', round, side);
}

/** Derives the mint of one side of a round, which belongs to Token-2022. */
export function deriveOutcomeMint(round: Address, side: OutcomeSide): ProgramAddress {
  return deriveOfSide('mint', round, side);
}

/** Derives the token account that holds the USDC of a round. */
export function deriveForecastVault(round: Address): Address {
  return deriveForecastUsdc(round);
}

/** Derives an owner's associated token account of USDC. */
export function deriveForecastUsdc(owner: Address): Address {
  return deriveAssociatedTokenAddress(owner, FORECAST_USDC, TOKEN_PROGRAM);
}

/** Derives an owner's associated token account of the tokens of one side of a round. */
export function deriveOutcomeTokens(owner: Address, mint: Address): Address {
  return deriveAssociatedTokenAddress(owner, mint, TOKEN_2022_PROGRAM);
}

function deriveOfSide(seed: string, round: Address, side: OutcomeSide): ProgramAddress {
  return findProgramAddress(FORECAST_PROGRAM, [
    Buffer.from(seed),
    toAddressBytes(round),
    Uint8Array.of(OUTCOME_SIDES.indexOf(side)),
  ]);
}
