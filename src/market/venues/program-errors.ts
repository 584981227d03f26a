import type { Address } from '../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { aggregatorError } from '../aggregator/errors.ts';
import { AGGREGATOR_PROGRAM } from '../aggregator/program.ts';
import { VENUES } from './index.ts';

type Name = (code: number) => string | null;

/** `TokenError` of the token program; Token-2022 goes on from there with codes of its own. */
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

/** `SystemError`. */
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

/** The lend AMM: those of its codes that a swap can end with. */
const LEND_AMM_PROGRAM = 'jupZ4m2GqUCJ5iueMfzQf8khFfH31d4XAQt3RzCT9Vd' as Address;
const LEND_AMM_ERRORS: ReadonlyMap<number, string> = new Map([
  [6017, 'DexAlreadyEntered'],
  [6024, 'DexNotEnoughAmountOut'],
  [6048, 'DexOracleUpdateHugeSwapDiff'],
  [6050, 'DexSwapAndArbitragePaused'],
  [6051, 'DexExceedsAmountInMax'],
  [6052, 'DexSwapInLimitingAmounts'],
  [6053, 'DexSwapOutLimitingAmounts'],
  [6060, 'DexLimitingAmountsSwapAndNonPerfect'],
  [6077, 'DexValidateInvalidLiquidityPosition'],
  [6081, 'DexSwapInResult'],
  [6082, 'DexSwapOutResult'],
]);

const NAMES: ReadonlyMap<Address, Name> = new Map<Address, Name>([
  [AGGREGATOR_PROGRAM, (code) => aggregatorError(code)?.name ?? null],
  ...VENUES.flatMap(({ errors }) =>
    errors.map(({ program, names, firstCode }): [Address, Name] => [program, listed(names, firstCode)]),
  ),
  [LEND_AMM_PROGRAM, (code) => LEND_AMM_ERRORS.get(code) ?? null],
  [TOKEN_PROGRAM, listed(TOKEN_ERRORS, 0)],
  [TOKEN_2022_PROGRAM, listed(TOKEN_ERRORS, 0)],
  [SYSTEM_PROGRAM, listed(SYSTEM_ERRORS, 0)],
]);

/** The name of a program's own error; null when the program or the code is not known. */
export function programErrorName(program: Address, code: number): string | null {
  return NAMES.get(program)?.(code) ?? null;
}

function listed(names: readonly string[], first: number): Name {
  return (code) => names[code - first] ?? null;
}
