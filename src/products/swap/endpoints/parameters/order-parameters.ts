import { formatForError } from '../../../../common/format-for-error.ts';
import type { Address } from '../../../../solana/address.ts';
import { bps } from '../../../../solana/units.ts';
import { ROUTERS } from '../../../../swaps/engines/engine.ts';
import {
  AMOUNT_BOUNDS,
  ORDER_TIP_BOUNDS,
  PRIORITY_FEE_BOUNDS,
  REFERRAL_FEE_BOUNDS,
} from './parameter-bounds.ts';
import { SwapRefused } from '../../../../swaps/refusals.ts';
import {
  parseOptionalAddress,
  parseOptionalBps,
  parseOptionalChoice,
  parseOptionalInteger,
  parseOptionalLamports,
  parseOptionalList,
  getOptionalText,
  type Query,
  parseRequiredAmount,
  parseMintPair,
} from './query.ts';
import { parseVenueChoice } from './venue-parameters.ts';
import {
  FEE_KINDS,
  type OrderRequest,
  type Referral,
  SWAP_MODES,
} from '../../../../swaps/engines/order-request.ts';

const MIN_TIP = 1_000n;
/** Earlier names of routers, by which some clients still call them. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['iris', 'metis']]);
/** Former routers of the public interface, which clients still exclude. */
const OLDER_ROUTERS: ReadonlySet<string> = new Set(['hashflow', 'pyth']);
/** Each of these options changes how the swap is built, and so sets the mode to manual. */
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
  'webhookId',
];

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseOrderRequest(query: Query, labels: readonly string[]): OrderRequest {
  const { inputMint, outputMint } = parseMintPair(query);
  const amount = parseRequiredAmount(query, 'amount', AMOUNT_BOUNDS);
  const taker = parseOptionalAddress(query, 'taker') ?? null;
  const kind = parseOptionalChoice(query, 'broadcastFeeType', FEE_KINDS) ?? 'exactFee';
  const lamports = parseOptionalLamports(query, 'priorityFeeLamports', PRIORITY_FEE_BOUNDS);
  const payer = parsePayer(query, taker);
  return {
    inputMint,
    outputMint,
    amount,
    swapMode: parseOptionalChoice(query, 'swapMode', SWAP_MODES) ?? 'ExactIn',
    webhookId: getOptionalText(query, 'webhookId') ?? null,
    taker,
    receiver: parseReceiver(query, taker),
    slippageBps: parseOptionalBps(query, 'slippageBps') ?? null,
    referral: parseReferral(query),
    payer,
    priorityFee: lamports === undefined ? null : { lamports, kind },
    tipLamports: parseTip(query),
    excludedRouters: parseExcludedRouters(query),
    venues: parseVenueChoice(query, labels),
    mode: hasOptions(query) || payer !== null ? 'manual' : 'ultra',
  };
}

function parseReceiver(query: Query, taker: Address | null): Address | null {
  const receiver = parseOptionalAddress(query, 'receiver') ?? null;
  if (receiver !== null && receiver === taker) {
    throw new SwapRefused('receiver must be another wallet than taker; leave it out to receive as the taker');
  }
  return receiver;
}

/** Naming the taker as payer has no effect. */
function parsePayer(query: Query, taker: Address | null): Address | null {
  const payer = parseOptionalAddress(query, 'payer') ?? null;
  if (payer !== null && taker === null) {
    throw new SwapRefused('payer pays for the transaction of a taker: taker is missing');
  }
  return payer === taker ? null : payer;
}

function parseReferral(query: Query): Referral | null {
  const account = parseOptionalAddress(query, 'referralAccount');
  const fee = parseOptionalInteger(query, 'referralFee', REFERRAL_FEE_BOUNDS);
  if (account === undefined && fee === undefined) return null;
  if (account === undefined) throw new SwapRefused('referralAccount is missing: referralFee is given');
  if (fee === undefined) throw new SwapRefused('referralFee is missing: referralAccount is given');
  return { account, bps: bps(fee) };
}

function parseTip(query: Query): bigint {
  const lamports = parseOptionalLamports(query, 'jitoTipLamports', ORDER_TIP_BOUNDS) ?? 0n;
  if (lamports > 0n && lamports < MIN_TIP) {
    throw new SwapRefused(`jitoTipLamports must be 0 or at least ${MIN_TIP}, got ${lamports}`);
  }
  return lamports;
}

function parseExcludedRouters(query: Query): ReadonlySet<string> {
  const names = (parseOptionalList(query, 'excludeRouters') ?? []).map(
    (name) => OTHER_NAMES.get(name) ?? name,
  );
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
  return OPTIONS.some((name) => parseOptionalList(query, name) !== undefined);
}
