import { LENDING_PROGRAM_ERRORS } from '../protocols/jupiter-lend/errors/index.ts';
import type { Address } from '../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../solana/program-addresses.ts';
import { aggregatorError } from './aggregator/errors.ts';
import { AGGREGATOR_PROGRAM } from '../protocol/venue/aggregator-program.ts';
import { ANCHOR_FIRST_ERROR, type Venue } from '../protocol/venue/venue.ts';

type NameOfCode = (code: number) => string | null;

/** The errors of the token program. Token-2022 has the same codes, followed by codes of its own. */
const TOKEN_ERRORS: readonly string[] = [
  'NotRentExempt',
  'InsufficientFunds',
  'InvalidMint',
  'MintMismatch',
  'OwnerMismatch',
  'FixedSupply',
  'AlreadyInUse',
  'InvalidNumberOfProvidedSigners',
  'InvalidNumberOfRequiredSigners',
  'UninitializedState',
  'NativeNotSupported',
  'NonNativeHasBalance',
  'InvalidInstruction',
  'InvalidState',
  'Overflow',
  'AuthorityTypeNotSupported',
  'MintCannotFreeze',
  'AccountFrozen',
  'MintDecimalsMismatch',
  'NonNativeNotSupported',
];

/** The errors of the system program. */
const SYSTEM_ERRORS: readonly string[] = [
  'AccountAlreadyInUse',
  'ResultWithNegativeLamports',
  'InvalidProgramId',
  'InvalidAccountDataLength',
  'MaxSeedLengthExceeded',
  'AddressWithSeedMismatch',
  'NonceNoRecentBlockhashes',
  'NonceBlockhashNotExpired',
  'NonceUnexpectedBlockhashValue',
];

/** Returns the name of a program's own error; null when the program or the code is not known. */
export type ProgramErrorName = (program: Address, code: number) => string | null;

/**
 * Joins the error names of the native, token and lending programs, of the aggregator and of the given venues.
 *
 * @param venues - The venues whose `errors` are included.
 * @returns a function that looks a code up
 *
 * @example
 * ```ts
 * import { RAYDIUM_CPMM_PROGRAM } from '../protocols/raydium-cpmm/program/program.ts';
 * import { programErrorNames } from './program-errors.ts';
 * import { VENUES } from '../protocols/venues.ts';
 *
 * const errorName = programErrorNames(VENUES);
 * errorName(RAYDIUM_CPMM_PROGRAM, 6005); // 'ExceededSlippage'
 * ```
 */
export function programErrorNames(venues: readonly Pick<Venue, 'errors'>[]): ProgramErrorName {
  const ofVenues = venues.flatMap(({ errors }) => errors);
  const names = new Map<Address, NameOfCode>([
    [AGGREGATOR_PROGRAM, (code) => aggregatorError(code)?.name ?? null],
    ...[...LENDING_PROGRAM_ERRORS].map(([program, of]): [Address, NameOfCode] => [
      program,
      listed(of, ANCHOR_FIRST_ERROR),
    ]),
    ...ofVenues.map((of): [Address, NameOfCode] => [of.program, listed(of.names, of.firstCode)]),
    [TOKEN_PROGRAM, listed(TOKEN_ERRORS, 0)],
    [TOKEN_2022_PROGRAM, listed(TOKEN_ERRORS, 0)],
    [SYSTEM_PROGRAM, listed(SYSTEM_ERRORS, 0)],
  ]);
  return (program, code) => names.get(program)?.(code) ?? null;
}

function listed(names: readonly string[], firstCode: number): NameOfCode {
  return (code) => names[code - firstCode] ?? null;
}
