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
  optionalAddress,
  optionalBps,
  optionalChoice,
  optionalInteger,
  optionalLamports,
  optionalList,
  optionalText,
  type Query,
  requiredAmount,
  requiredPair,
} from './query.ts';
import { venueChoice } from './venue-parameters.ts';
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
  const { inputMint, outputMint } = requiredPair(query);
  const amount = requiredAmount(query, 'amount', AMOUNT_BOUNDS);
  const taker = optionalAddress(query, 'taker') ?? null;
  const kind = optionalChoice(query, 'broadcastFeeType', FEE_KINDS) ?? 'exactFee';
  const lamports = optionalLamports(query, 'priorityFeeLamports', PRIORITY_FEE_BOUNDS);
  const payer = payerOf(query, taker);
  return {
    inputMint,
    outputMint,
    amount,
    swapMode: optionalChoice(query, 'swapMode', SWAP_MODES) ?? 'ExactIn',
    webhookId: optionalText(query, 'webhookId') ?? null,
    taker,
    receiver: receiverOf(query, taker),
    slippageBps: optionalBps(query, 'slippageBps') ?? null,
    referral: referralOf(query),
    payer,
    priorityFee: lamports === undefined ? null : { lamports, kind },
    tipLamports: tipOf(query),
    excludedRouters: excludedRouters(query),
    venues: venueChoice(query, labels),
    mode: hasOptions(query) || payer !== null ? 'manual' : 'ultra',
  };
}

function receiverOf(query: Query, taker: Address | null): Address | null {
  const receiver = optionalAddress(query, 'receiver') ?? null;
  if (receiver !== null && receiver === taker) {
    throw new SwapRefused('receiver must be another wallet than taker; leave it out to receive as the taker');
  }
  return receiver;
}

/** Naming the taker as payer has no effect. */
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
  const lamports = optionalLamports(query, 'jitoTipLamports', ORDER_TIP_BOUNDS) ?? 0n;
  if (lamports > 0n && lamports < MIN_TIP) {
    throw new SwapRefused(`jitoTipLamports must be 0 or at least ${MIN_TIP}, got ${lamports}`);
  }
  return lamports;
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
  return OPTIONS.some((name) => optionalList(query, name) !== undefined);
}
