import './engines-panel.css';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { formatUnits } from '../../../base/format-amount.ts';
import { formatDollars } from '../../../base/format-dollars.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { computeSwapCosts } from '../quote/swap-costs.ts';
import { formatTokenAmount } from '../flow/describe-route.ts';
import { TokenAmount } from '../flow/token-amount.tsx';
import type { RouteRequest } from '../quote/route-request.ts';
import {
  compareEngines,
  computeLead,
  type EngineComparison,
  type EngineOffer,
  type MeasuredOffer,
} from './compare-engines.ts';

/** What each engine offers for the same swap. It is asked on request, because every offer is an order that Sluice keeps. */
export function EnginesPanel({
  request,
  decimals,
  tokens,
}: {
  readonly request: RouteRequest;
  readonly decimals: number | null;
  readonly tokens: KnownTokens;
}) {
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => compareEngines(request, decimals),
  });
  // Offers for another swap say nothing about this one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is what makes the offers old.
  useEffect(() => reset(), [request, reset]);
  return (
    <Panel
      title="Engines"
      aside={
        <Button onClick={() => mutate()} busy={isPending}>
          Compare engines
        </Button>
      }
    >
      {error !== null ? <ErrorNote error={error} /> : null}
      {data === undefined ? (
        <p className="engines__note">
          Engines quote side by side, and the one that pays the taker most after costs wins. <b>metis</b>{' '}
          splits and routes over the pools on the chain and the order books of makers; <b>jupiterz</b> asks
          makers by webhook. Compare them to see what each one offers for this swap.
        </p>
      ) : (
        <Comparison comparison={data} tokens={tokens} />
      )}
    </Panel>
  );
}

function Comparison({
  comparison,
  tokens,
}: {
  readonly comparison: EngineComparison;
  readonly tokens: KnownTokens;
}) {
  const measured = comparison.offers.flatMap((offer): readonly MeasuredOffer[] =>
    offer.kind === 'quote'
      ? [
          {
            engine: offer.engine,
            answer: offer.quote.answer,
            netOut: computeSwapCosts(offer.quote.answer, tokens.findMarket).netOut,
          },
        ]
      : [],
  );
  return (
    <div className="engines" aria-live="polite">
      <ul className="engines__list">
        {comparison.offers.map((offer) => (
          <OfferCard
            key={offer.engine}
            offer={offer}
            isWinner={comparison.winner === offer.engine}
            tokens={tokens}
          />
        ))}
      </ul>
      <p className="engines__verdict">{explainVerdict(comparison.winner, measured, tokens)}</p>
    </div>
  );
}

function OfferCard({
  offer,
  isWinner,
  tokens,
}: {
  readonly offer: EngineOffer;
  readonly isWinner: boolean;
  readonly tokens: KnownTokens;
}) {
  return (
    <li className="engines__offer" data-winner={isWinner}>
      <h3 className="engines__name">
        {offer.engine}
        {isWinner ? <Badge tone="good">won the order</Badge> : null}
        {offer.kind === 'refusal' ? <Badge tone="warning">no quote</Badge> : null}
      </h3>
      {offer.kind === 'refusal' ? (
        <p className="engines__reason">{offer.reason}</p>
      ) : (
        <OfferTerms offer={offer} tokens={tokens} />
      )}
    </li>
  );
}

function OfferTerms({
  offer: { quote },
  tokens,
}: {
  readonly offer: Extract<EngineOffer, { kind: 'quote' }>;
  readonly tokens: KnownTokens;
}) {
  const { answer, waitedMs } = quote;
  const costs = computeSwapCosts(answer, tokens.findMarket);
  const venues = [...new Set(answer.legs.map(({ venue }) => venue))].join(', ');
  return (
    <dl className="engines__terms">
      <div>
        <dt>Takes</dt>
        <dd>
          <TokenAmount raw={answer.inAmount} mint={answer.inputMint} tokens={tokens} />
        </dd>
      </div>
      <div>
        <dt>Gives</dt>
        <dd>
          <TokenAmount raw={answer.outAmount} mint={answer.outputMint} tokens={tokens} />
          {costs.receivedDollars === null ? null : ` (${formatDollars(costs.receivedDollars)})`}
        </dd>
      </div>
      <div>
        <dt>Left after the network</dt>
        <dd>
          {costs.netOut === null ? (
            'known with a taker'
          ) : (
            <TokenAmount raw={costs.netOut} mint={answer.outputMint} tokens={tokens} />
          )}
        </dd>
      </div>
      <div>
        <dt>Over</dt>
        <dd>{venues}</dd>
      </div>
      <div>
        <dt>Took</dt>
        <dd>
          {answer.tookMs} ms, with the way to this page {waitedMs} ms
        </dd>
      </div>
    </dl>
  );
}

/** Says which engine won, and by how much. */
function explainVerdict(
  winner: string | null,
  measured: readonly MeasuredOffer[],
  tokens: KnownTokens,
): string {
  if (winner === null) return 'No engine quotes this swap.';
  const [best, ...others] = [...measured].sort((one, other) =>
    one.engine === winner ? -1 : other.engine === winner ? 1 : 0,
  );
  const [other] = others;
  if (best === undefined || best.engine !== winner) {
    return `${winner} won the order, and has no quote alone: its offer came and went between the requests.`;
  }
  if (other === undefined) return `${winner} won because no other engine quotes this swap.`;
  const { amount, share } = computeLead(best, other);
  const mint = best.answer.swapMode === 'ExactOut' ? best.answer.inputMint : best.answer.outputMint;
  const size = amount < 0n ? -amount : amount;
  const difference = `${formatTokenAmount(size, mint, tokens)}${share === null ? '' : ` (${formatBps(share < 0n ? -share : share)})`}`;
  const verb = best.answer.swapMode === 'ExactOut' ? 'takes' : 'pays';
  const better = best.answer.swapMode === 'ExactOut' ? 'less' : 'more';
  const basis =
    best.netOut === null
      ? 'Without a taker, what the network takes is not known here.'
      : 'What the network takes is counted.';
  if (amount > 0n) return `${winner} won: it ${verb} ${difference} ${better} than ${other.engine}. ${basis}`;
  if (amount === 0n) return `${winner} won, although both offer the same. ${basis}`;
  return `${winner} won the order, although ${other.engine} alone offers ${difference} better: prices changed between the requests, or ${other.engine} was late. ${basis}`;
}

function formatBps(millionths: bigint): string {
  return `${formatUnits(millionths, 2)} basis points`;
}
