import { type TString, Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { type Bps, bps as toBps, U64_MAX } from '../../../solana/units.ts';
import { type SwapRefusalCode, SwapRefused } from '../../../swaps/refusals.ts';
import { integer, readInteger } from '../../parameters/kinds.ts';
import { defineText, type Parameter, type Refuse } from '../../parameters/parameter.ts';
import { type IntegerBounds, textFor } from '../../parameters/parameter-schema.ts';
import { type InstructionVersion, MAX_FEE_BPS } from '../../../market/aggregator/route-plan.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { SwapDestination } from '../../../swaps/build/swap-terms.ts';

/** Basis points of a whole. */
export const BPS_BOUNDS: IntegerBounds = { minimum: 0, maximum: 10_000 };
/** The slippage of a request that does not set it. */
export const DEFAULT_SLIPPAGE_BPS = toBps(50);
/** Names for percentiles of recent compute unit prices. */
export const PRICE_LEVELS: ReadonlyMap<unknown, Bps> = new Map([
  ['medium', toBps(2_500)],
  ['high', toBps(5_000)],
  ['veryHigh', toBps(7_500)],
]);
/** As many digits as a number always holds exactly. */
const MAX_DIGITS = 15;

/** Refuses a request for a swap. */
export function refuseSwap(sentence: string): never {
  throw new SwapRefused(sentence);
}

/** A parameter that is an address. */
export function address(description: string): Parameter<Address, TString> {
  return defineText(Type.String({ description }), readAddress);
}

/** @throws SwapRefused if the text is empty or no address */
export function readAddress(text: string, name: string): Address {
  const parsed = parseAddress(requireText(text, name));
  if (parsed !== null) return parsed;
  throw new SwapRefused(`${name} must be an address of 32 bytes in base58, got ${formatForError(text)}`);
}

/**
 * A parameter that is an amount of 64 bits. It is documented as a text, because the numbers of many clients cannot hold
 * it.
 */
export function amount(minimum: bigint, description: string): Parameter<bigint, TString> {
  const schema = textFor({ type: 'string', pattern: '^[0-9]{1,20}$' }, description);
  return defineText(schema, (text, name) => readAmount(text, name, minimum));
}

/**
 * A parameter that is an amount of 64 bits and documented as a number. JSON numbers cannot state a maximum of that size
 * exactly, so the documentation states it by the format `uint64`.
 */
export function numericAmount(
  minimum: bigint,
  description: string,
  unit = 'token atoms',
): Parameter<bigint, TString> {
  const schema = textFor({ type: 'integer', format: 'uint64', minimum: Number(minimum) }, description);
  return defineText(schema, (text, name) => readAmount(text, name, minimum, unit));
}

/** @throws SwapRefused if the text is empty, or no whole number from `minimum` to the largest of 64 bits */
export function readAmount(text: string, name: string, minimum: bigint, unit = 'token atoms'): bigint {
  // Twenty digits hold every u64, and bound the cost of parsing.
  const parsed = /^\d{1,20}$/.test(requireText(text, name)) ? BigInt(text) : -1n;
  if (parsed >= minimum && parsed <= U64_MAX) return parsed;
  const range = `${minimum} to ${U64_MAX}`;
  throw new SwapRefused(
    `${name} must be a whole number of ${unit} from ${range}, got ${formatForError(text)}`,
  );
}

function requireText(text: string, name: string): string {
  if (text === '') throw new SwapRefused(`${name} is missing`);
  return text;
}

/** A parameter that is a whole number within bounds. */
export function wholeNumber(bounds: IntegerBounds, description: string): Parameter<number, TString> {
  return integer(bounds, description, MAX_DIGITS);
}

/**
 * A parameter that is a share in basis points.
 * @param code - The code of the refusal of a wrong value.
 */
export function bps(description: string, code: SwapRefusalCode | null = null): Parameter<Bps, TString> {
  const refuse = (sentence: string): never => {
    throw new SwapRefused(sentence, code);
  };
  return defineText(textFor({ type: 'integer', ...BPS_BOUNDS }, description), (text, name) =>
    readBps(text, name, refuse),
  );
}

/** @throws SwapRefused if the text is no whole number from 0 to 10000 */
export function readBps(text: string, name: string, refuse: Refuse = refuseSwap): Bps {
  return toBps(readInteger(text, name, refuse, BPS_BOUNDS, MAX_DIGITS));
}

/** @throws SwapRefused when a swap would have the same input and output */
export function checkMintPair(inputMint: Address, outputMint: Address): void {
  if (inputMint !== outputMint) return;
  throw new SwapRefused(
    `inputMint and outputMint must differ, both are ${inputMint}`,
    'CIRCULAR_ARBITRAGE_IS_DISABLED',
  );
}

/** @throws SwapRefused when the rate `platformFeeBps` does not fit the instruction's field */
export function checkFeeShare(share: Bps, version: InstructionVersion): Bps {
  if (share > MAX_FEE_BPS[version]) {
    throw new SwapRefused(
      `platformFeeBps must be at most ${MAX_FEE_BPS[version]} with instructionVersion ${version}, got ${share}`,
    );
  }
  return share;
}

/** The accounts that a request names for its output. */
interface NamedDestination {
  readonly token: Address | null;
  readonly native: Address | null;
}

/** @throws SwapRefused when both are given, or a native account for a token other than SOL */
export function resolveDestination(
  { token, native }: NamedDestination,
  outputMint: Address,
): SwapDestination {
  if (token !== null && native !== null) {
    throw new SwapRefused(
      'destinationTokenAccount and nativeDestinationAccount exclude each other; give one',
    );
  }
  if (token !== null) return { kind: 'token-account', address: token };
  if (native !== null && outputMint !== WRAPPED_SOL_MINT) {
    throw new SwapRefused(
      `nativeDestinationAccount receives SOL, so outputMint must be ${WRAPPED_SOL_MINT}, got ${outputMint}`,
    );
  }
  return native === null ? { kind: 'taker' } : { kind: 'native', address: native };
}
