import './quote-summary.css';
import { Link } from '@tanstack/react-router';
import { useInstance } from '../../../api/instance.ts';
import { formatRate } from '../../../base/format-brief.ts';
import { formatDollars, formatShare } from '../../../base/format-dollars.ts';
import { writeCurl } from '../../../openapi/snippets/curl.ts';
import { Badge } from '../../../parts/badge.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import type { SwapCosts } from '../quote/swap-costs.ts';
import { TokenAmount } from '../flow/token-amount.tsx';
import { formatTokenAmount } from '../flow/describe-route.ts';
import { Sparkline } from '../live/sparkline.tsx';
import { QUOTE_SOURCES, type RouteRequest } from '../quote/route-request.ts';
import type { RouteAnswer } from '../quote/route-answer.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';

/** What is paid and what is received, who quotes it, and how it went since the page watches. */
export function QuoteSummary({
  answer,
  costs,
  history,
  tokens,
}: {
  readonly answer: RouteAnswer;
  readonly costs: SwapCosts;
  readonly history: readonly RouteAnswer[];
  readonly tokens: KnownTokens;
}) {
  const { inputMint, outputMint, inAmount, outAmount, router, legs } = answer;
  const isOut = answer.swapMode === 'ExactOut';
  const openMint = isOut ? inputMint : outputMint;
  const openAmount = (each: RouteAnswer) => (isOut ? each.inAmount : each.outAmount);
  const before = history.at(-2);
  const rate = describeRate(answer, tokens);
  return (
    <div className="quote-summary">
      <p className="quote-summary__swap">
        <span>
          <TokenAmount raw={inAmount} mint={inputMint} tokens={tokens} />
          <Dollars amount={costs.paidDollars} />
        </span>
        <span aria-hidden="true">→</span>
        <span className="visually-hidden"> for </span>
        <strong data-testid="quote-output">
          <TokenAmount raw={outAmount} mint={outputMint} tokens={tokens} />
          <Dollars amount={costs.receivedDollars} />
        </strong>
      </p>
      <p className="quote-summary__facts">
        {router === null ? null : <Badge tone="accent">won by {router}</Badge>}
        <span>{legs.length === 1 ? 'one step' : `${legs.length} steps`}</span>
        {rate === null ? null : <span>{rate}</span>}
        {answer.impact === null ? null : <span>price impact {formatShare(answer.impact)}</span>}
        <span>answered in {answer.tookMs} ms</span>
      </p>
      {history.length < 2 || before === undefined ? null : (
        <div className="quote-summary__history">
          <Sparkline
            values={history.map(openAmount)}
            title={isOut ? 'What had to be paid' : 'What would have been received'}
            format={(value) => formatTokenAmount(value, openMint, tokens)}
          />
          <ChangeNote change={openAmount(answer) - openAmount(before)} mint={openMint} tokens={tokens} />
        </div>
      )}
    </div>
  );
}

/** Leads to the playground with the same parameters, and copies the request as a command. */
export function QuoteLinks({
  request,
  parameters,
}: {
  readonly request: RouteRequest;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}) {
  const { data: instance } = useInstance();
  const { path, operationId } = QUOTE_SOURCES[request.source];
  const curl = writeCurl({
    method: 'GET',
    origin: instance?.urls.rest ?? window.location.origin,
    path,
    query: parameters.map(([name, value]) => ({ name, value })),
    headers: [],
    body: null,
  });
  // The example of an order has a taker, which an empty text leaves out.
  const search = { taker: '', ...Object.fromEntries(parameters) };
  return (
    <span className="quote-summary__links">
      <Link to="/playground/$operationId" params={{ operationId }} search={search as never}>
        Open in the playground
      </Link>
      <span className="quote-summary__curl">
        curl <CopyButton text={curl} label="Copy the request as curl" />
      </span>
    </span>
  );
}

function Dollars({ amount }: { readonly amount: bigint | null }) {
  return amount === null ? null : <span className="quote-summary__dollars"> {formatDollars(amount)}</span>;
}

function ChangeNote({
  change,
  mint,
  tokens,
}: {
  readonly change: bigint;
  readonly mint: string;
  readonly tokens: KnownTokens;
}) {
  if (change === 0n) return <span>as in the quote before</span>;
  return (
    <span className="quote-summary__change">
      <TokenAmount raw={change} mint={mint} tokens={tokens} signed /> since the quote before
    </span>
  );
}

function describeRate({ inputMint, outputMint, inAmount, outAmount }: RouteAnswer, tokens: KnownTokens) {
  const [input, output] = [tokens.findMarket(inputMint).decimals, tokens.findMarket(outputMint).decimals];
  if (input === null || output === null) return null;
  const rate = formatRate({ raw: inAmount, decimals: input }, { raw: outAmount, decimals: output });
  return rate === null ? null : `1 ${tokens.getSymbol(inputMint)} = ${rate} ${tokens.getSymbol(outputMint)}`;
}
