import { SWAP_MODES } from '../../../swaps/swap-mode.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Address } from '../../../solana/address.ts';
import { bps as toBps } from '../../../solana/units.ts';
import { ROUTERS } from '../../../swaps/engines/engine.ts';
import { FEE_KINDS, type OrderRequest, type Referral } from '../../../swaps/engines/order-request.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import { choice, list, text } from '../../parameters/kinds.ts';
import { defineQuery, optional, type Query } from '../../parameters/parameter.ts';
import {
  checkMintPair,
  address,
  amount,
  bps,
  numericAmount,
  refuseSwap,
  wholeNumber,
  toVenueChoice,
} from './swap-parameters.ts';

const MIN_TIP = 1_000n;
/** Earlier names of routers, by which some clients still call them. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['iris', 'metis']]);
/** Former routers of the public interface, which clients still exclude. */
const OLDER_ROUTERS: ReadonlySet<string> = new Set(['hashflow', 'pyth']);

/** The parameters of `GET /swap/v2/order`. */
export const ORDER_PARAMETERS = defineQuery(
  {
    inputMint: address('Mint of the token to swap.'),
    outputMint: address('Mint of the token to receive.'),
    amount: amount(1n, 'Atoms of the input token, of the output token for `ExactOut`: 1 to 2^64 - 1.'),
    taker: optional(address('The wallet that swaps and signs. Without it the answer is a price only.')),
    receiver: optional(
      address(
        'Another wallet for the output: its associated token account, created where needed, or SOL itself.',
      ),
    ),
    swapMode: optional(
      choice(SWAP_MODES, 'Exact output is quoted by the makers of `jupiterz` alone.'),
      'ExactIn',
    ),
    slippageBps: optional(
      bps('Allowed shortfall in basis points, 0 to 10000; estimated for the swap when absent.'),
    ),
    referralAccount: optional(address('Account of the referral program; together with `referralFee`.')),
    referralFee: optional(
      wholeNumber({ minimum: 50, maximum: 255 }, 'Basis points for the referrer, 50 to 255.'),
    ),
    payer: optional(
      address('Another wallet that pays fees and rent, and signs too. Restricts the swap to `metis`.'),
    ),
    priorityFeeLamports: optional(
      numericAmount(1n, 'Priority fee in lamports, above 0; estimated when absent.', 'lamports'),
    ),
    jitoTipLamports: optional(
      numericAmount(0n, 'Lamports to tip, 0 or at least 1000, paid exactly.', 'lamports'),
    ),
    broadcastFeeType: optional(
      choice(FEE_KINDS, 'Whether `priorityFeeLamports` is what is paid (default) or the most that may be.'),
      'exactFee',
    ),
    excludeRouters: optional(
      list(`Routers that shall not take part, separated by commas: ${ROUTERS.join(', ')}.`),
    ),
    webhookId: optional(text('The one maker of `jupiterz` that is asked; all when absent.')),
    dexes: optional(
      list('Venue labels that `metis` may use, separated by commas. `jupiterz` then takes no part.'),
    ),
    excludeDexes: optional(list('Venue labels that `metis` may not use, separated by commas.')),
  },
  refuseSwap,
);

/** @throws SwapRefused with a sentence about the first invalid parameter */
export function parseOrderRequest(query: Query, labels: readonly string[]): OrderRequest {
  const read = ORDER_PARAMETERS.reader(query);
  const [inputMint, outputMint] = [read('inputMint'), read('outputMint')];
  checkMintPair(inputMint, outputMint);
  const amount = read('amount');
  const taker = read('taker');
  const feeKind = read('broadcastFeeType');
  const lamports = read('priorityFeeLamports');
  const payer = toPayer(read('payer'), taker);
  const swapMode = read('swapMode');
  const webhookId = read('webhookId');
  const receiver = toReceiver(read('receiver'), taker);
  const slippageBps = read('slippageBps');
  const referral = toReferral(read('referralAccount'), read('referralFee'));
  const tip = read('jitoTipLamports');
  const tipLamports = toTip(tip);
  const excludedRouters = toExcludedRouters(read('excludeRouters') ?? []);
  const venues = toVenueChoice(read('dexes') ?? [], read('excludeDexes') ?? [], labels);
  // Each of these options changes how the swap is built.
  const isManual =
    payer !== null ||
    receiver !== null ||
    slippageBps !== null ||
    referral !== null ||
    lamports !== null ||
    tip !== null ||
    read.isGiven('broadcastFeeType') ||
    excludedRouters.size > 0 ||
    venues !== undefined ||
    (webhookId !== null && /[^\s,]/.test(webhookId));
  return {
    inputMint,
    outputMint,
    amount,
    swapMode,
    webhookId,
    taker,
    vault: null,
    wrapsSol: true,
    receiver,
    slippageBps,
    referral,
    payer,
    priorityFee: lamports === null ? null : { lamports, kind: feeKind },
    tipLamports,
    excludedRouters,
    venues,
    mode: isManual ? 'manual' : 'ultra',
  };
}

function toReceiver(receiver: Address | null, taker: Address | null): Address | null {
  if (receiver !== null && receiver === taker) {
    throw new SwapRefused('receiver must be another wallet than taker; leave it out to receive as the taker');
  }
  return receiver;
}

/** Naming the taker as payer has no effect. */
function toPayer(payer: Address | null, taker: Address | null): Address | null {
  if (payer !== null && taker === null) {
    throw new SwapRefused('payer pays for the transaction of a taker: taker is missing');
  }
  return payer === taker ? null : payer;
}

function toReferral(account: Address | null, fee: number | null): Referral | null {
  if (account === null && fee === null) return null;
  if (account === null) throw new SwapRefused('referralAccount is missing: referralFee is given');
  if (fee === null) throw new SwapRefused('referralFee is missing: referralAccount is given');
  return { account, bps: toBps(fee) };
}

function toTip(tip: bigint | null): bigint {
  const lamports = tip ?? 0n;
  if (lamports > 0n && lamports < MIN_TIP) {
    throw new SwapRefused(`jitoTipLamports must be 0 or at least ${MIN_TIP}, got ${lamports}`);
  }
  return lamports;
}

function toExcludedRouters(given: readonly string[]): ReadonlySet<string> {
  const names = given.map((name) => OTHER_NAMES.get(name) ?? name);
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
