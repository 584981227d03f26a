/** A step of a route: one pool, or one maker, that takes one token and gives another. */
export interface RouteLeg {
  /** Address of the pool, or of the maker's wallet. */
  readonly pool: string;
  readonly venue: string;
  readonly inputMint: string;
  readonly outputMint: string;
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  /** What the pool keeps; null where the answer does not say. */
  readonly fee: { readonly amount: bigint; readonly mint: string } | null;
  /** Share of the input token that the step takes, in basis points; null where the answer does not say. */
  readonly bps: number | null;
}

/** What the network takes for the swap. */
export interface NetworkCosts {
  readonly signatureLamports: bigint;
  readonly priorityLamports: bigint;
  readonly rentLamports: bigint;
  readonly signaturePayer: string | null;
  readonly priorityPayer: string | null;
  readonly rentPayer: string | null;
}

/** The answer of an endpoint that quotes, whichever it was. */
export interface RouteAnswer {
  /** The engine that won; null where there is only one. */
  readonly router: string | null;
  readonly inputMint: string;
  readonly outputMint: string;
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  readonly swapMode: 'ExactIn' | 'ExactOut';
  /** The least that is received, or with an exact output the most that is spent. */
  readonly threshold: bigint;
  readonly slippageBps: number;
  /**
   * Millionths of the price that the swap loses: of an order against the market, fees included, and of a quote by its size alone.
   * Null where the answer does not say.
   */
  readonly impact: bigint | null;
  readonly legs: readonly RouteLeg[];
  readonly platformFee: { readonly amount: bigint; readonly mint: string; readonly bps: number } | null;
  /** What pays a sponsor back, in basis points. It is in the amounts already. */
  readonly sponsorBps: number;
  readonly taker: string | null;
  /** Null without a taker. */
  readonly network: NetworkCosts | null;
  /** Why a price has no transaction, in a sentence; null if it has one, or if none was asked for. */
  readonly lacking: string | null;
  /** Milliseconds that Sluice took. */
  readonly tookMs: number;
}

/** Labels of legs that a maker fills. Every other one is that of a venue whose pools are on the chain. */
const MAKER_LABELS: ReadonlySet<string> = new Set(['JupiterRfqV2', 'JupiterZ']);

/** Whether a maker fills the step, from its order book or by an answer to a webhook. */
export function isMakerLeg({ venue }: Pick<RouteLeg, 'venue'>): boolean {
  return MAKER_LABELS.has(venue);
}

/** Reads the answer of `/swap/v2/order`, `/swap/v2/quote` or `/swap/v1/quote`. @throws Error if it is none */
export function parseRouteAnswer(body: unknown): RouteAnswer {
  const answer = toRecord(body, 'the answer');
  const swapMode = answer.swapMode === 'ExactOut' ? 'ExactOut' : 'ExactIn';
  const taker = typeof answer.taker === 'string' ? answer.taker : null;
  const platformFee = parsePlatformFee(answer);
  return {
    router: typeof answer.router === 'string' ? answer.router : null,
    inputMint: toText(answer.inputMint, 'inputMint'),
    outputMint: toText(answer.outputMint, 'outputMint'),
    inAmount: toAmount(answer.inAmount, 'inAmount'),
    outAmount: toAmount(answer.outAmount, 'outAmount'),
    swapMode,
    threshold: toAmount(answer.otherAmountThreshold, 'otherAmountThreshold'),
    slippageBps: typeof answer.slippageBps === 'number' ? answer.slippageBps : 0,
    impact: parseImpact(answer),
    legs: toList(answer.routePlan).map(parseLeg),
    platformFee,
    sponsorBps: typeof answer.feeBps === 'number' ? Math.max(answer.feeBps - (platformFee?.bps ?? 0), 0) : 0,
    taker,
    network: taker === null ? null : parseNetworkCosts(answer),
    lacking: typeof answer.errorCode === 'number' ? describeLack(answer) : null,
    tookMs: parseDuration(answer),
  };
}

function parseLeg(step: unknown): RouteLeg {
  const { swapInfo, bps } = toRecord(step, 'a step of the route');
  const info = toRecord(swapInfo, 'swapInfo');
  const hasFee = typeof info.feeAmount === 'string' && typeof info.feeMint === 'string';
  return {
    pool: toText(info.ammKey, 'ammKey'),
    venue: typeof info.label === 'string' ? info.label : 'Unnamed venue',
    inputMint: toText(info.inputMint, 'inputMint'),
    outputMint: toText(info.outputMint, 'outputMint'),
    inAmount: toAmount(info.inAmount, 'inAmount'),
    outAmount: toAmount(info.outAmount, 'outAmount'),
    fee: hasFee
      ? { amount: toAmount(info.feeAmount, 'feeAmount'), mint: toText(info.feeMint, 'feeMint') }
      : null,
    bps: typeof bps === 'number' ? bps : null,
  };
}

/** Quotes name no mint of the fee, because it is always taken of the output, or of the input of an exact output. */
function parsePlatformFee(answer: Record<string, unknown>): RouteAnswer['platformFee'] {
  if (typeof answer.platformFee !== 'object' || answer.platformFee === null) return null;
  const { amount, feeBps, feeMint } = answer.platformFee as Record<string, unknown>;
  if (typeof amount !== 'string') return null;
  const usual = answer.swapMode === 'ExactOut' ? answer.inputMint : answer.outputMint;
  return {
    amount: toAmount(amount, 'platformFee.amount'),
    mint: toText(feeMint ?? usual, 'platformFee.feeMint'),
    bps: typeof feeBps === 'number' ? feeBps : 0,
  };
}

function parseNetworkCosts(answer: Record<string, unknown>): NetworkCosts {
  const toPayer = (payer: unknown) => (typeof payer === 'string' ? payer : null);
  return {
    signatureLamports: toAmount(answer.signatureFeeLamports ?? 0, 'signatureFeeLamports'),
    priorityLamports: toAmount(answer.prioritizationFeeLamports ?? 0, 'prioritizationFeeLamports'),
    rentLamports: toAmount(answer.rentFeeLamports ?? 0, 'rentFeeLamports'),
    signaturePayer: toPayer(answer.signatureFeePayer),
    priorityPayer: toPayer(answer.prioritizationFeePayer),
    rentPayer: toPayer(answer.rentFeePayer),
  };
}

/** Reads the decimal text of the price impact. Orders state losses below zero, and quotes above. */
function parseImpact({ priceImpactPct, router }: Record<string, unknown>): bigint | null {
  const match = /^(-?)(\d{1,6})(?:\.(\d{1,40}))?$/.exec(
    typeof priceImpactPct === 'string' ? priceImpactPct : '',
  );
  if (match === null) return null;
  const [, sign, whole, fraction = ''] = match;
  const millionths = BigInt(`${whole}${fraction.padEnd(6, '0').slice(0, 6)}`);
  return (sign === '-') === (typeof router === 'string') ? millionths : -millionths;
}

function describeLack({ errorMessage, details }: Record<string, unknown>): string {
  const said = [details, errorMessage].find((text) => typeof text === 'string' && text !== '');
  return typeof said === 'string' ? said : 'Sluice cannot make a transaction for this taker.';
}

/** Orders say milliseconds, and quotes seconds. */
function parseDuration({ totalTime, timeTaken }: Record<string, unknown>): number {
  if (typeof totalTime === 'number') return totalTime;
  return typeof timeTaken === 'number' ? Math.round(timeTaken * 1_000) : 0;
}

function toRecord(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new Error(`Sluice answered in a form that this page does not know: ${name} is no object.`);
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error('Sluice answered in a form that this page does not know: routePlan is no list.');
}

function toText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`Sluice answered in a form that this page does not know: ${name} is no text.`);
}

function toAmount(value: unknown, name: string): bigint {
  if (typeof value === 'string' && /^\d{1,40}$/.test(value)) return BigInt(value);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new Error(`Sluice answered in a form that this page does not know: ${name} is no whole number.`);
}
