import { formatForError } from '../../../common/format-for-error.ts';
import type { Address } from '../../../solana/address.ts';
import { type Bps, bps } from '../../../solana/units.ts';
import { ROUTERS } from './engine.ts';
import { LAMPORTS_BOUNDS, REFERRAL_FEE_BOUNDS } from '../parameter-bounds.ts';
import { SwapRefused } from '../errors.ts';
import {
  optionalAddress,
  optionalBps,
  optionalChoice,
  optionalInteger,
  optionalList,
  optionalText,
  type Query,
  requiredAmount,
  requiredPair,
} from '../query.ts';
import { type VenueChoice, venueChoice } from '../build/venue-choice.ts';

/** What `GET /swap/v2/order` asks for, every value checked on its own and against the others. */
export interface OrderRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  /** Null asks for a price only. */
  readonly taker: Address | null;
  /** Another wallet that the output goes to. */
  readonly receiver: Address | null;
  /** Null leaves it to the service. */
  readonly slippageBps: Bps | null;
  readonly referral: Referral | null;
  /** Pays fees and rent instead of the taker: always another wallet. */
  readonly payer: Address | null;
  /** Null leaves it to the service. */
  readonly priorityFee: { readonly lamports: bigint; readonly kind: FeeKind } | null;
  readonly tipLamports: bigint;
  readonly excludedRouters: ReadonlySet<string>;
  readonly venues: VenueChoice | undefined;
  /** Whether anything was asked for beyond the swap itself. */
  readonly mode: 'ultra' | 'manual';
}

export interface Referral {
  readonly account: Address;
  readonly bps: Bps;
}

/** Whether the given priority fee is what is paid, or the most that may be. */
export type FeeKind = (typeof FEE_KINDS)[number];

const FEE_KINDS = ['maxCap', 'exactFee'] as const;
const MIN_TIP = 1_000;
/** What clients call a router that they wrote before it had its present name. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['iris', 'metis']]);
/** Routers of the public interface in the past, which clients still exclude. */
const OLDER_ROUTERS: ReadonlySet<string> = new Set(['hashflow', 'pyth']);
/** Any of these changes how the swap is made, and so makes the mode manual. */
const OPTIONS = [
  'receiver',
  'slippageBps',
  'referralAccount',
  'referralFee',
  'priorityFeeLamports',
  'jitoTipLamports',
  'broadcastFeeType',
  'excludeRouters',
  'dexes',
  'excludeDexes',
];

/** @throws SwapRefused with a sentence about the first parameter that is wrong. */
export function parseOrderRequest(query: Query, labels: readonly string[]): OrderRequest {
  const { inputMint, outputMint } = requiredPair(query);
  const amount = requiredAmount(query, 'amount');
  const taker = optionalAddress(query, 'taker') ?? null;
  optionalChoice(query, 'swapMode', ['ExactIn']);
  const kind = optionalChoice(query, 'broadcastFeeType', FEE_KINDS) ?? 'exactFee';
  const lamports = optionalInteger(query, 'priorityFeeLamports', LAMPORTS_BOUNDS);
  const payer = payerOf(query, taker);
  return {
    inputMint,
    outputMint,
    amount,
    taker,
    receiver: receiverOf(query, taker),
    slippageBps: optionalBps(query, 'slippageBps') ?? null,
    referral: referralOf(query),
    payer,
    priorityFee: lamports === undefined ? null : { lamports: BigInt(lamports), kind },
    tipLamports: tipOf(query),
    excludedRouters: excludedRouters(query),
    venues: venueChoice(query, labels),
    mode: hasOptions(query) || payer !== null ? 'manual' : 'ultra',
  };
}

/** The taker as receiver has no effect. */
function receiverOf(query: Query, taker: Address | null): Address | null {
  const receiver = optionalAddress(query, 'receiver') ?? null;
  return receiver === taker ? null : receiver;
}

/** The taker as payer has no effect. */
function payerOf(query: Query, taker: Address | null): Address | null {
  const payer = optionalAddress(query, 'payer') ?? null;
  if (payer !== null && taker === null) {
    throw new SwapRefused('payer pays for the transaction of a taker: taker is missing');
  }
  return payer === taker ? null : payer;
}

function referralOf(query: Query): Referral | null {
  const account = optionalAddress(query, 'referralAccount');
  const fee = optionalInteger(query, 'referralFee', REFERRAL_FEE_BOUNDS);
  if (account === undefined && fee === undefined) return null;
  if (account === undefined) throw new SwapRefused('referralAccount is missing: referralFee is given');
  if (fee === undefined) throw new SwapRefused('referralFee is missing: referralAccount is given');
  return { account, bps: bps(fee) };
}

function tipOf(query: Query): bigint {
  const lamports = optionalInteger(query, 'jitoTipLamports', LAMPORTS_BOUNDS) ?? 0;
  if (lamports > 0 && lamports < MIN_TIP) {
    throw new SwapRefused(`jitoTipLamports must be 0 or at least ${MIN_TIP}, got ${lamports}`);
  }
  return BigInt(lamports);
}

function excludedRouters(query: Query): ReadonlySet<string> {
  const names = (optionalList(query, 'excludeRouters') ?? []).map((name) => OTHER_NAMES.get(name) ?? name);
  const unknown = names.find(
    (name) => !ROUTERS.some((router) => router === name) && !OLDER_ROUTERS.has(name),
  );
  if (unknown !== undefined) {
    throw new SwapRefused(
      `excludeRouters names ${formatForError(unknown)}, which is not one of: ${ROUTERS.join(', ')}`,
    );
  }
  return new Set(names);
}

function hasOptions(query: Query): boolean {
  return OPTIONS.some((name) => optionalText(query, name) !== undefined);
}
