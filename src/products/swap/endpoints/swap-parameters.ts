import { type TBoolean, type TNull, type TOptional, type TString, type TUnion, Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { type Bps, bps as toBps, U64_MAX } from '../../../solana/units.ts';
import { type SwapRefusalCode, SwapRefused } from '../../../swaps/refusals.ts';
import { integer, readInteger } from '../../parameters/kinds.ts';
import { defineText, type Parameter, type Refuse } from '../../parameters/parameter.ts';
import { type IntegerBounds, textFor } from '../../parameters/parameter-schema.ts';
import { type InstructionVersion, MAX_FEE_BPS } from '../../../market/aggregator/route-plan.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { SwapDestination, VenueChoice } from '../../../swaps/build/swap-terms.ts';

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
/** The percentile of recent compute unit prices of a request that names none. */
export const DEFAULT_PRICE_PERCENTILE = toBps(5_000);
/** Slots for which the blockhash of a swap stays valid. */
export const DEFAULT_BLOCKHASH_SLOTS = 150;
export const MAX_BLOCKHASH_SLOTS = 300;
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

/** A field that is an address. Clients with fixed structures send null for what they leave out. */
export function defineOptionalAddress(
  description: string,
): Parameter<Address | null, TOptional<TUnion<[TString, TNull]>>> {
  return {
    schema: Type.Optional(Type.Union([Type.String(), Type.Null()], { description })),
    read: (given, name) => (typeof given === 'string' && given !== '' ? readAddress(given, name) : null),
  };
}

/** A field that is `true` or `false`; null and an absent one are the default. */
export function defineToggle(
  description: string,
  defaultValue = false,
): Parameter<boolean, TOptional<TUnion<[TBoolean, TNull]>>> {
  return {
    schema: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description })),
    read: (given) => (typeof given === 'boolean' ? given : defaultValue),
  };
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

/**
 * Labels of venues that the public interface knows in addition to those that have pools here. Clients name them in `dexes`
 * and `excludeDexes`, often in lists that are fixed in their code, so all of them are accepted; any other unknown label is
 * refused as a typing error.
 */
const NAMES = `1DEX, Aldrin, Aldrin V2, AlphaQ, Aquifer, Bonkswap, Boop.fun, Byreal, Carrot, Clone Protocol, Crema,
  Cropper, Cropper Legacy, Daos.fun, DefiTuna, DexLab, Fluxbeam, FluxBeam, FusionAMM,
  Futarchy, Gavel, GooseFX, GooseFX GAMMA, GoonFi, GoonFi V2, Guacswap, Heaven, Helium Network, HumidiFi, Hylo,
  Invariant, JupiterRfqV2, Jupiter Perps, Lifinity V1, Lifinity V2, Manifest, Marinade, Mercurial, Meteora,
  Meteora DLMM, Moonit, Oasis, Obric, Obric V2, Obsidian, Omnipair, OneIntro, OpenBook V2, Openbook, Orca V1,
  Orca V2, PancakeSwap, Penguin, Perena, Perena Star, Perena Star V2, Perps, Phoenix, Pump.fun, Pump.fun Amm,
  Quantum, Quay, Raydium, Raydium CLMM, Raydium Launchlab, Riptide, RunnerRodeo, Saber (Decimals), Sanctum Infinity,
  Saros, Saros DLMM, Scale Amm, Scale Vmm, Scorch, SolFi, SolFi V2, Solayer, Stabble CLMM, Stabble Stable Swap,
  Stabble Weighted Swap, StepN, Symmetry, TesseraV, Token Mill, Token Swap, Virtuals, VaultLiquidUnstake,
  WhaleStreet, Woofi, XOrca, ZeroFi`;

const OTHER_PUBLIC_VENUES: ReadonlySet<string> = new Set(NAMES.split(',').map((name) => name.trim()));

/**
 * Reads `dexes` and `excludeDexes`. Venues of the public interface without pools here are accepted and have no
 * effect.
 * @param only - The labels in `dexes`.
 * @param except - The labels in `excludeDexes`.
 * @throws SwapRefused when both have labels, or for labels that are neither `known` nor public
 */
export function toVenueChoice(
  only: readonly string[],
  except: readonly string[],
  known: readonly string[],
): VenueChoice | undefined {
  if (only.length > 0 && except.length > 0) {
    throw new SwapRefused('dexes and excludeDexes exclude each other; give one of them');
  }
  const [name, labels] = only.length > 0 ? ['dexes', only] : ['excludeDexes', except];
  if (labels.length === 0) return undefined;
  const unknown = labels.find((label) => !known.includes(label) && !OTHER_PUBLIC_VENUES.has(label));
  if (unknown !== undefined) {
    throw new SwapRefused(
      `${name} names ${formatForError(unknown)}, which is not one of: ${known.join(', ')}`,
    );
  }
  return { kind: only.length > 0 ? 'only' : 'except', labels: new Set(labels) };
}
