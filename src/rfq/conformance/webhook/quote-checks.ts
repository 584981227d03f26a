import type { Address } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { QuoteType } from '../../../protocols/order-engine/fill-instruction.ts';
import { MAX_TOKENS_BYTES, encodeQuoteBody, readQuote, readTokens } from '../../webhooks/messages.ts';
import type { WebhookQuote, WebhookRequest } from '../../webhooks/webhook.ts';
import { reportFailed, reportPassed, reportSkipped, type CheckVerdict } from '../trials/report.ts';
import { type CheckedWebhook, describeCallOutcome } from './checked.ts';

/** A maker's list of tokens. */
export interface TokenListFinding {
  readonly verdict: CheckVerdict;
  readonly mints: readonly Address[];
}

/** A quote that can be turned into a swap, with the request that it answers. */
export interface SmallQuote {
  readonly request: WebhookRequest;
  readonly quote: WebhookQuote;
}

interface QuoteFindings {
  readonly exactIn: CheckVerdict;
  readonly exactOut: CheckVerdict;
  /** Asks for the same quote again, as often as a check needs one; null if the maker quotes nothing. */
  readonly again: (() => Promise<SmallQuote | null>) | null;
}

type SmallQuoteAnswer = SmallQuote | { readonly problem: string } | 'none';

/** The most pairs that are tried, each with these amounts, until the maker quotes. */
const MAX_PAIRS = 12;
const AMOUNTS = [1_000_000n, 100_000_000n, 1_000_000_000n];
/** A text of 46 characters that is not an address. The public acceptance suite uses the same one. */
const UNKNOWN = 'fake3KUx6gxrfJnh9mVPQZbZbG5FjwCWsnvPpNsjRmTbzY';

export async function checkTokenList({ call }: CheckedWebhook): Promise<TokenListFinding> {
  const outcome = await call('/tokens', null, { maxBytes: MAX_TOKENS_BYTES });
  const wrong = (detail: string): TokenListFinding => ({ verdict: reportFailed(detail), mints: [] });
  if (outcome.kind === 'failed' || outcome.status !== 200)
    return wrong(`it must answer 200 with a list of mints, but ${describeCallOutcome(outcome)}`);
  const mints = readTokens(outcome.body);
  if (mints === null) return wrong('the list must be an array of at most 10,000 addresses');
  return { verdict: reportPassed(`${mints.size} mints`), mints: [...mints] };
}

/** Asks for small quotes of the listed pairs, in both directions of the amount. */
export async function checkWebhookQuotes(
  checked: CheckedWebhook,
  mints: readonly Address[],
): Promise<QuoteFindings> {
  const pairs = mints
    .flatMap((tokenOut) => mints.map((tokenIn) => ({ tokenIn, tokenOut })))
    // The taker of a check is paid in a token account, whose balance shows that the swap has landed.
    .filter(({ tokenIn, tokenOut }) => tokenIn !== tokenOut && tokenOut !== WRAPPED_SOL_MINT)
    .filter(({ tokenIn, tokenOut }) => isAllowed(checked, tokenIn, tokenOut))
    .slice(0, MAX_PAIRS);
  if (pairs.length === 0) {
    const verdict = reportSkipped('its list has no two mints of which it can pay one in a token account');
    return { exactIn: verdict, exactOut: verdict, again: null };
  }
  const inputs = await firstQuoted(checked, pairs, 'exactIn');
  const outputs = await firstQuoted(checked, pairs, 'exactOut');
  const { request } = inputs;
  return {
    exactIn: inputs.verdict,
    exactOut: outputs.verdict,
    again:
      request === null
        ? null
        : async () => {
            const asked = await ask(checked, { ...request, ...newIds(checked) });
            return asked === 'none' || 'problem' in asked ? null : asked;
          },
  };
}

interface FirstQuoted {
  readonly verdict: CheckVerdict;
  readonly request: WebhookRequest | null;
}

async function firstQuoted(
  checked: CheckedWebhook,
  pairs: readonly { readonly tokenIn: Address; readonly tokenOut: Address }[],
  quoteType: QuoteType,
): Promise<FirstQuoted> {
  for (const amount of AMOUNTS) {
    for (const pair of pairs) {
      const request = createQuoteRequest(checked, pair, amount, quoteType);
      const asked = await ask(checked, request);
      if (asked === 'none') continue;
      if ('problem' in asked) return { verdict: reportFailed(asked.problem), request: null };
      const { amountIn, amountOut } = asked.quote;
      const detail = `${amountIn} of ${pair.tokenIn} for ${amountOut} of ${pair.tokenOut}`;
      return { verdict: reportPassed(detail), request };
    }
  }
  const largest = AMOUNTS.at(-1);
  return {
    verdict: reportFailed(
      `it answers 404 for ${pairs.length} pairs of its list, with amounts up to ${largest}`,
    ),
    request: null,
  };
}

/** Returns the quote, what is wrong with the answer, or `none` for a 404. */
async function ask(checked: CheckedWebhook, request: WebhookRequest): Promise<SmallQuoteAnswer> {
  const { dependencies, record, call } = checked;
  const body = Buffer.from(encodeQuoteBody(request)).toString();
  const outcome = await call('/quote', body, { timeoutMs: dependencies.webhooks.quoteMs });
  if (outcome.kind === 'answered' && outcome.status === 404) return 'none';
  if (outcome.kind === 'failed' || outcome.status !== 200)
    return { problem: `it must answer 200 or 404, but ${describeCallOutcome(outcome)}` };
  const quote = readQuote(outcome.body, request, record);
  if (quote === null) return { problem: 'it must repeat the receiver of the request' };
  return 'problem' in quote ? quote : { request, quote };
}

/** A mint that does not exist is not an error in the request: the maker just does not trade it. */
export async function checkUnknownToken(
  checked: CheckedWebhook,
  mints: readonly Address[],
): Promise<CheckVerdict> {
  const [tokenIn] = mints;
  if (tokenIn === undefined) return reportSkipped('it lists no mints');
  const request = createQuoteRequest(
    checked,
    { tokenIn, tokenOut: UNKNOWN as Address },
    AMOUNTS[0] ?? 1n,
    'exactIn',
  );
  const outcome = await checked.call('/quote', Buffer.from(encodeQuoteBody(request)).toString(), {
    timeoutMs: checked.dependencies.webhooks.quoteMs,
  });
  if (outcome.kind === 'answered' && outcome.status === 404) return reportPassed('it answers 404');
  return reportFailed(`it must answer 404 for an unknown mint, but ${describeCallOutcome(outcome)}`);
}

function createQuoteRequest(
  checked: CheckedWebhook,
  { tokenIn, tokenOut }: { readonly tokenIn: Address; readonly tokenOut: Address },
  amount: bigint,
  quoteType: QuoteType,
): WebhookRequest {
  return {
    ...newIds(checked),
    tokenIn,
    tokenOut,
    amount,
    quoteType,
    feeBps: 0,
    taker: checked.subject.taker.address,
    receiver: null,
    suggestedPrice: 10_000n,
  };
}

function newIds({ dependencies }: CheckedWebhook): Pick<WebhookRequest, 'requestId' | 'quoteId'> {
  return { requestId: dependencies.newUuid(), quoteId: dependencies.newUuid() };
}

function isAllowed({ record: { pairs } }: CheckedWebhook, tokenIn: Address, tokenOut: Address): boolean {
  if (pairs === null) return true;
  return pairs.some(
    ({ base, quote }) => (base === tokenIn && quote === tokenOut) || (base === tokenOut && quote === tokenIn),
  );
}
