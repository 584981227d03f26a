import { type FlowPartProps, LegCard, TokenBox } from './flow-parts.tsx';
import { LegDetail } from './leg-detail.tsx';
import type { RouteGraph } from './route-graph.ts';

/** A route on a narrow screen: each token with the steps that spend it below, down to the output. */
export function FlowStack({
  graph,
  outputMint,
  ...parts
}: FlowPartProps & { readonly graph: RouteGraph; readonly outputMint: string }) {
  return (
    <ol className="flow-stack">
      {graph.tokens.map((token) => (
        <li key={token.mint}>
          <TokenBox token={token} tokens={parts.tokens} />
          {token.mint === outputMint ? null : (
            <ul className="flow-stack__legs" aria-label={`Swaps of ${parts.tokens.getSymbol(token.mint)}`}>
              {graph.legs
                .filter(({ leg }) => leg.inputMint === token.mint)
                .map((leg) => (
                  <li key={leg.index} className="flow-stack__leg">
                    <ShareBar index={leg.index} share={Number(leg.share) / 10_000} />
                    <LegCard leg={leg} {...parts} />
                    {parts.chosen === leg.index ? <LegDetail leg={leg.leg} tokens={parts.tokens} /> : null}
                  </li>
                ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

function ShareBar({ index, share }: { readonly index: number; readonly share: number }) {
  return (
    <span className="flow-stack__bar" aria-hidden="true">
      <span
        className={`flow-stack__fill flow-stack__fill--${(index % 6) + 1}`}
        style={{ height: `${Math.max(share, 3)}%` }}
      />
    </span>
  );
}
