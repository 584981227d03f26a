import './route-flow.css';
import { useId, useMemo, useState } from 'react';
import type { RouteAnswer } from '../quote/route-answer.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { computeLeastWidth, type FlowLayout, layOutRoute } from './flow-layout.ts';
import { type FlowPartProps, LegCard, TokenBox } from './flow-parts.tsx';
import { FlowStack } from './flow-stack.tsx';
import { LegDetail } from './leg-detail.tsx';
import { LegTable } from './leg-table.tsx';
import { buildRouteGraph, type RouteGraph } from './route-graph.ts';
import { describeRoute } from './describe-route.ts';
import { useWidth } from '../../../parts/use-width.ts';

/** The route of a quote: drawn from left to right where there is room, and else one token below the other. */
export function RouteFlow({
  answer,
  tokens,
  changed,
}: {
  readonly answer: RouteAnswer;
  readonly tokens: KnownTokens;
  /** Indexes of the steps that are not as in the quote before. */
  readonly changed: ReadonlySet<number>;
}) {
  const { legs, inputMint, outputMint } = answer;
  const graph = useMemo(() => buildRouteGraph(legs, inputMint, outputMint), [legs, inputMint, outputMint]);
  const [width, area] = useWidth();
  const [chosen, setChosen] = useState<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = pointed ?? (chosen !== null && chosen < legs.length ? chosen : null);
  const parts = {
    tokens,
    changed,
    shown,
    chosen,
    onPoint: setPointed,
    onChoose: (index: number) => setChosen((before) => (before === index ? null : index)),
  };
  return (
    <div className="route-flow" ref={area}>
      {graph === null ? (
        <p className="route-flow__note">
          These steps are no route that can be drawn. They stand in the table below.
        </p>
      ) : width < computeLeastWidth(graph) ? (
        <FlowStack graph={graph} outputMint={outputMint} {...parts} />
      ) : (
        <>
          <FlowDrawing graph={graph} answer={answer} width={width} {...parts} />
          <LegDetail leg={shown === null ? null : (legs[shown] ?? null)} tokens={tokens} />
        </>
      )}
      <LegTable legs={legs} tokens={tokens} changed={changed} />
    </div>
  );
}

function FlowDrawing({
  graph,
  answer,
  width,
  ...parts
}: FlowPartProps & {
  readonly graph: RouteGraph;
  readonly answer: RouteAnswer;
  readonly width: number;
}) {
  const layout = useMemo(() => layOutRoute(graph, width), [graph, width]);
  return (
    <div className="route-flow__drawing" style={{ width: layout.width, height: layout.height }}>
      <FlowBands layout={layout} text={describeRoute(answer, parts.tokens)} shown={parts.shown} />
      {layout.tokens.map((token) => (
        <div key={token.mint} className="route-flow__place" style={toPlace(token.box)}>
          <TokenBox token={token} tokens={parts.tokens} />
        </div>
      ))}
      {layout.legs.map((leg) => (
        <div key={leg.index} className="route-flow__place" style={toPlace(leg.box)}>
          <LegCard leg={leg} {...parts} />
        </div>
      ))}
    </div>
  );
}

function FlowBands({
  layout,
  text,
  shown,
}: {
  readonly layout: FlowLayout;
  readonly text: string;
  readonly shown: number | null;
}) {
  const id = useId();
  return (
    <svg
      role="img"
      aria-labelledby={`${id}-title ${id}-text`}
      className="route-flow__bands"
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      width={layout.width}
      height={layout.height}
    >
      <title id={`${id}-title`}>The route of the swap</title>
      <desc id={`${id}-text`}>{text}</desc>
      {layout.legs.map(({ index, bands }) => (
        <path
          key={index}
          d={bands.join(' ')}
          className={`route-flow__band route-flow__band--${(index % 6) + 1}`}
          data-dimmed={shown !== null && shown !== index}
        />
      ))}
    </svg>
  );
}

function toPlace({ x, y, width, height }: FlowLayout['tokens'][number]['box']) {
  return { left: x, top: y, width, height };
}
