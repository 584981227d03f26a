import { randomUUID } from 'node:crypto';
import { chooseFeeMint } from '../../swaps/fees/platform-fee.ts';
import type { Webhooks } from '../index.ts';
import type { FillTerms } from '../../swaps/fill-terms.ts';
import type { MissedQuote } from '../webhooks/webhook-maker.ts';
import type { WebhookQuote } from '../webhooks/webhook.ts';
import type { QuoteType } from '../../protocols/order-engine/fill-instruction.ts';
import { bps } from '../../solana/units.ts';
import { computeUnitPrice } from '../../transactions/build/priority-fee.ts';
import {
  JUPITERZ_LABEL,
  type BuiltOrder,
  type Engine,
  type EngineQuote,
  type EngineRefusal,
  type EngineRequest,
  type Unbuildable,
} from '../../swaps/engines/engine.ts';
import {
  type FillAccountsRead,
  type JupiterzChain,
  type MintPrograms,
  findMakerObstacle,
  findMintPrograms,
  NOT_A_TRANSACTION,
  readFillAccounts,
  findReceivingAccount,
  buildCheckedFill,
} from './jupiterz-transaction.ts';
import type { RefusalSentence } from '../../swaps/refusals.ts';
import type { LosingReason, MakerBid } from '../../swaps/engines/maker-bid.ts';
import type { OrderRequest } from '../../swaps/engines/order-request.ts';
import { allowsVenue } from '../../swaps/build/swap-terms.ts';
import { convertLamportsToOutput } from '../../swaps/build/route-costs.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { FILL_LIFE_SECONDS } from '../liquidity/fill-times.ts';

export interface JupiterzDependencies {
  readonly chain: JupiterzChain;
  readonly pools: Pools;
  readonly prices: Pick<Prices, 'deepDollarsPerAtom'>;
  readonly webhooks: Webhooks;
  readonly describeFailure: DescribeFailure;
}

const TOO_MANY_QUESTIONS =
  'makers are being asked for as many of your orders as may be at once; ask again when one is answered';
// Another router may win the order, so the refusals are not created for each.
const VENUES_WITHOUT_MAKERS: RefusalSentence = { kind: 'venues-without-makers' };
const TIP_BESIDE_MAKER: RefusalSentence = { kind: 'tip-beside-maker' };
const NAMED_MAKER_UNAVAILABLE: RefusalSentence = { kind: 'named-maker-unavailable' };
/** The percentile of recent prices that is suggested to makers. */
const SUGGESTED_PERCENTILE = bps(5_000);

/** A quote with its transaction, which was simulated before the quote counted, or with what the taker lacks for it. */
interface JupiterzQuote extends EngineQuote {
  /** Null without a taker. */
  readonly built: BuiltOrder | Unbuildable | null;
}

/** The makers that are asked by webhook. One maker settles the whole swap, through the order engine. */
export function createJupiterzEngine(dependencies: JupiterzDependencies): Engine {
  let builds = 0;
  const nextSerial = () => builds++;
  return {
    router: 'jupiterz',
    swapType: 'rfq',
    takesPayer: false,
    asksOthers: true,
    quote: (request, signal) => quote(dependencies, request, signal, nextSerial),
  };
}

async function quote(
  dependencies: JupiterzDependencies,
  request: EngineRequest,
  signal: AbortSignal,
  nextSerial: () => number,
): Promise<EngineQuote | EngineRefusal> {
  const { chain, pools, webhooks } = dependencies;
  const { order } = request;
  const refused = findMakerRefusal(webhooks, order);
  if (refused !== null) return order.webhookId === null ? { refused } : { refused, askedMakers: true };
  const programs = await findMintPrograms(chain, pools, order);
  if ('refused' in programs) return programs;
  const { taker } = order;
  const suggested = computeUnitPrice(chain.recentPriorityFees([]), SUGGESTED_PERCENTILE);
  const quoteId = randomUUID();
  const asked = {
    requestId: request.requestId,
    quoteId,
    tokenIn: order.inputMint,
    tokenOut: order.outputMint,
    amount: order.amount,
    quoteType: toQuoteType(order),
    feeBps: request.fee?.bps ?? 0,
    taker,
    receiver: order.receiver,
    suggestedPrice: taker === null ? null : suggested,
  };
  const { caller, noteBid } = request;
  const onMissed = (makerId: string, { missed, problem }: MissedQuote) =>
    noteBid?.({
      makerId,
      channel: 'webhook',
      lost: missed,
      detail: problem,
      quoted: null,
      estimatedOut: null,
    });
  const answers = await webhooks.ask(asked, { caller, only: order.webhookId, onMissed }, signal);
  if (answers === 'crowded') return { refused: TOO_MANY_QUESTIONS, askedMakers: true };
  const offers = answers.flatMap((answer) => computeOffer(order, asked.feeBps, answer) ?? []);
  if (noteBid !== undefined) for (const answer of answers) noteBid(createWebhookBid(answer, null, null));
  if (offers.length === 0) return { refused: 'no maker quotes the swap', askedMakers: true };
  const accounts = await readFillAccounts(
    chain,
    order,
    programs,
    offers.map(({ maker }) => maker),
  );
  const reasons: RefusalSentence[] = [];
  let failing: JupiterzQuote | null = null;
  for (const offer of bestFirst(order, offers)) {
    if (signal.aborted) break;
    const made = await quoteOffer(
      dependencies,
      request,
      { offer, programs, accounts, quoteId, suggested },
      nextSerial,
    );
    if (made.refused !== undefined) {
      reasons.push([`${offer.makerId}: `, made.refused]);
      continue;
    }
    const unbuildable = made.built?.unbuildable;
    if (unbuildable?.code !== NOT_A_TRANSACTION) return made;
    request.noteBid?.(createWebhookBid(offer, 'unusable', unbuildable.details));
    failing ??= made;
    reasons.push(`${offer.makerId}: ${unbuildable.details}`);
  }
  // A price without a transaction is better than none, and worse than the transaction of another router.
  if (failing !== null && isForMakersOnly(request)) return failing;
  const listed = reasons.flatMap((reason, place) => (place === 0 ? [reason] : ['; ', reason]));
  return { refused: ['no quote of a maker could be settled now: ', ...listed], askedMakers: true };
}

/** Whether no other router quotes the order. */
function isForMakersOnly({ isOnlyEngine, order }: EngineRequest): boolean {
  return isOnlyEngine || order.swapMode === 'ExactOut';
}

function findMakerRefusal(webhooks: Webhooks, order: OrderRequest): RefusalSentence | null {
  if (!allowsVenue(order.venues, JUPITERZ_LABEL)) return VENUES_WITHOUT_MAKERS;
  if (order.tipLamports > 0n) return TIP_BESIDE_MAKER;
  if (webhooks.serves(order.inputMint, order.outputMint, order.webhookId)) return null;
  return order.webhookId === null
    ? 'no maker that can be asked now trades both tokens'
    : NAMED_MAKER_UNAVAILABLE;
}

function toQuoteType({ swapMode }: OrderRequest): QuoteType {
  return swapMode === 'ExactOut' ? 'exactOut' : 'exactIn';
}

/** A maker's quote with the service's fee cut from it. */
export interface MakerOffer extends WebhookQuote {
  /** What the taker pays and receives. */
  readonly takerPays: bigint;
  readonly takerGets: bigint;
  readonly fee: bigint;
  readonly feeBps: number;
}

/** The fee is cut from the side that the maker priced, rounded up. Null if nothing would be left. */
function computeOffer(order: OrderRequest, feeBps: number, answer: WebhookQuote): MakerOffer | null {
  const share = (amount: bigint) => (amount * BigInt(feeBps) + 9_999n) / 10_000n;
  if (order.swapMode === 'ExactOut') {
    const fee = share(answer.amountIn);
    return { ...answer, fee, feeBps, takerPays: answer.amountIn + fee, takerGets: answer.amountOut };
  }
  const fee = share(answer.amountOut);
  if (fee >= answer.amountOut) return null;
  return { ...answer, fee, feeBps, takerPays: answer.amountIn, takerGets: answer.amountOut - fee };
}

function createWebhookBid(
  { makerId, amountIn, amountOut }: WebhookQuote,
  lost: LosingReason | null,
  detail: string | null,
): MakerBid {
  const quoted = { inAmount: amountIn, outAmount: amountOut };
  return { makerId, channel: 'webhook', lost, detail, quoted, estimatedOut: null };
}

/** Among equal offers, the one that came first. */
function bestFirst({ swapMode }: OrderRequest, offers: readonly MakerOffer[]): readonly MakerOffer[] {
  const worth = ({ takerPays, takerGets }: MakerOffer) => (swapMode === 'ExactOut' ? -takerPays : takerGets);
  return [...offers].sort((one, other) =>
    worth(one) === worth(other) ? 0 : worth(one) > worth(other) ? -1 : 1,
  );
}

export interface OfferToSettle {
  readonly offer: MakerOffer;
  readonly programs: MintPrograms;
  readonly accounts: FillAccountsRead;
  readonly quoteId: string;
  /** Micro-lamports per compute unit. */
  readonly suggested: bigint;
}

/** The quote of an offer, whose transaction would succeed now. */
async function quoteOffer(
  { chain, prices, webhooks, describeFailure }: JupiterzDependencies,
  { order, noteBid }: EngineRequest,
  toSettle: OfferToSettle,
  nextSerial: () => number,
): Promise<JupiterzQuote | EngineRefusal> {
  const { offer, programs, accounts, quoteId } = toSettle;
  const { maker, takerPays, takerGets } = offer;
  const obstacle = findMakerObstacle(order, offer, programs, accounts);
  if (obstacle !== null) {
    const { lost, refused } = obstacle;
    if (lost === 'balance') webhooks.noteObstacle(offer.makerId, refused);
    noteBid?.(createWebhookBid(offer, lost, typeof refused === 'string' ? refused : null));
    return { refused };
  }
  webhooks.noteObstacle(offer.makerId, null);
  const expireAt = chain.clock().unixTimestamp + FILL_LIFE_SECONDS;
  const built =
    order.taker === null
      ? null
      : await buildCheckedFill({ chain, describeFailure }, order, {
          ...toSettle,
          expireAt,
          serial: nextSerial(),
        });
  if (built !== null && 'refused' in built) return built;
  const exactOut = order.swapMode === 'ExactOut';
  const terms: FillTerms = {
    makerId: offer.makerId,
    maker,
    base: order.outputMint,
    quote: order.inputMint,
    pays: order.outputMint,
    most: takerGets,
    from: programs.accountOf(maker, 'output'),
    to: programs.accountOf(maker, 'input'),
    ...(order.receiver === null
      ? {}
      : { handedOnTo: findReceivingAccount(order, programs) ?? order.receiver }),
    expireAt,
  };
  const mint =
    offer.feeBps > 0
      ? exactOut
        ? order.inputMint
        : order.outputMint
      : chooseFeeMint(order.inputMint, order.outputMint);
  const { inputMint, outputMint } = order;
  // The maker pays the fees of the network, and the taker the rent of its own account and of the receiver's.
  const swapped = { inputMint, outputMint, inAmount: takerPays, outAmount: takerGets };
  return {
    inAmount: takerPays,
    outAmount: takerGets,
    netOut: takerGets - convertLamportsToOutput(prices, swapped, built?.costs.rentFee ?? 0n),
    threshold: exactOut ? takerPays : takerGets,
    slippageBps: order.slippageBps ?? bps(0),
    priceImpact: '0',
    fees: { mint, platformBps: bps(offer.feeBps), platformAmount: offer.fee, gasBps: bps(0) },
    sponsorship: null,
    makerIds: [],
    settlement: {
      kind: 'maker',
      fill: {
        makerId: offer.makerId,
        quoteId,
        terms,
        inAmount: takerPays,
        outAmount: takerGets,
        fee: { mint, amount: offer.fee },
      },
    },
    built,
    build: async () => {
      if (built === null) throw new Error('a quote without a taker was to be built');
      return built;
    },
  };
}
