import type { Address } from '../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../solana/program-addresses.ts';
import { findAggregatorError } from './aggregator/errors.ts';
import { AGGREGATOR_PROGRAM } from '../protocol/venue/aggregator-program.ts';
import type { Protocol } from '../protocol/protocol.ts';

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

/** Returns what is known about a program's own error, in addition to its name; undefined when that is nothing. */
export type ProgramErrorExplanation = (program: Address, code: number) => string | undefined;

/**
 * Joins the error names of the native and token programs, of the aggregator and of the given protocols.
 *
 * @param protocols - The protocols whose `errors` are included.
 * @returns a function that looks a code up
 *
 * @example
 * ```ts
 * import { PROTOCOLS } from '../protocols/index.ts';
 * import { RAYDIUM_CPMM_PROGRAM } from '../protocols/raydium-cpmm/program/program.ts';
 * import { joinProgramErrorNames } from './program-errors.ts';
 *
 * const errorName = joinProgramErrorNames(PROTOCOLS);
 * errorName(RAYDIUM_CPMM_PROGRAM, 6005); // 'ExceededSlippage'
 * ```
 */
export function joinProgramErrorNames(protocols: readonly Pick<Protocol, 'errors'>[]): ProgramErrorName {
  const ofProtocols = protocols.flatMap(({ errors = [] }) => errors);
  const names = new Map<Address, NameOfCode>([
    [AGGREGATOR_PROGRAM, (code) => findAggregatorError(code)?.name ?? null],
    ...ofProtocols.map((of): [Address, NameOfCode] => [of.program, listed(of.names, of.firstCode)]),
    [TOKEN_PROGRAM, listed(TOKEN_ERRORS, 0)],
    [TOKEN_2022_PROGRAM, listed(TOKEN_ERRORS, 0)],
    [SYSTEM_PROGRAM, listed(SYSTEM_ERRORS, 0)],
  ]);
  return (program, code) => names.get(program)?.(code) ?? null;
}

/**
 * Joins the explanations of errors that the given protocols have.
 *
 * @param protocols - The protocols whose `errors` are included.
 * @returns a function that looks a code up
 */
export function joinProgramErrorExplanations(
  protocols: readonly Pick<Protocol, 'errors'>[],
): ProgramErrorExplanation {
  const explained = protocols.flatMap(({ errors = [] }) => errors);
  const byProgram = new Map(explained.map(({ program, explanations }) => [program, explanations]));
  return (program, code) => byProgram.get(program)?.get(code);
}

function listed(names: readonly string[], firstCode: number): NameOfCode {
  return (code) => names[code - firstCode] ?? null;
}
