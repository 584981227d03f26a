import { useMemo } from 'react';
import { Panel } from '../../parts/page.tsx';
import { Loading } from '../../parts/status.tsx';
import { REFRESH_MS, type TimedAnswer } from './quote/quote-query.ts';
import { QuoteLinks, QuoteSummary } from './summary/quote-summary.tsx';
import { TakerLacks } from './summary/taker-lacks.tsx';
import { useKnownTokens } from '../../api/known-tokens.ts';
import { CostsPanel } from './costs/costs-panel.tsx';
import { computeSwapCosts } from './quote/swap-costs.ts';
import { EnginesPanel } from './engines/engines-panel.tsx';
import { RouteFlow } from './flow/route-flow.tsx';
import { findChangedLegs, useQuoteHistory } from './live/quote-history.ts';
import type { RouteRequest } from './quote/route-request.ts';

/** What a quote says: the amounts, the route, the costs, and the offers of the engines. */
export function RouteResult({
  request,
  path,
  parameters,
  decimals,
  quote: { answer },
  isWatched,
  onWatch,
  onRefresh,
}: {
  readonly request: RouteRequest;
  readonly path: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** Of the token whose amount is fixed; null: not known. */
  readonly decimals: number | null;
  readonly quote: TimedAnswer;
  readonly isWatched: boolean;
  readonly onWatch: (isWatched: boolean) => void;
  readonly onRefresh: () => void;
}) {
  const mints = useMemo(() => {
    const ofLegs = answer.legs.flatMap(({ inputMint, outputMint, fee }) => [
      inputMint,
      outputMint,
      fee?.mint ?? '',
    ]);
    return [answer.inputMint, answer.outputMint, answer.platformFee?.mint ?? '', ...ofLegs];
  }, [answer]);
  const tokens = useKnownTokens(mints, isWatched);
  const { answers } = useQuoteHistory(path, answer);
  const costs = useMemo(() => computeSwapCosts(answer, tokens.findMarket), [answer, tokens]);
  const changed = useMemo(
    () => findChangedLegs(answers.at(-2)?.legs ?? null, answer.legs),
    [answers, answer],
  );
  // Amounts without their symbols would be shown for a moment, and then change.
  const isUnknown = mints.some((mint) => mint !== '' && tokens.find(mint) === null);
  if (isUnknown && !tokens.isLoaded) return <Loading what="the tokens of the route" />;
  return (
    <>
      {answer.lacking === null || answer.taker === null ? null : (
        <TakerLacks
          answer={answer}
          taker={answer.taker}
          reason={answer.lacking}
          tokens={tokens}
          onFilled={onRefresh}
        />
      )}
      <Panel
        title="The route"
        aside={
          <div className="routes__tools">
            <label className="routes__watch">
              <input
                type="checkbox"
                checked={isWatched}
                onChange={(event) => onWatch(event.target.checked)}
              />
              Ask again every {REFRESH_MS / 1_000} seconds
            </label>
            <QuoteLinks request={request} parameters={parameters} />
          </div>
        }
      >
        <QuoteSummary answer={answer} costs={costs} history={answers} tokens={tokens} />
        <RouteFlow answer={answer} tokens={tokens} changed={changed} />
      </Panel>
      <div className="routes__columns">
        <CostsPanel answer={answer} costs={costs} tokens={tokens} />
        <EnginesPanel request={request} decimals={decimals} tokens={tokens} />
      </div>
    </>
  );
}
