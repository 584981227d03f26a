import { formatShare } from '../../../base/format-dollars.ts';
import { isMakerLeg } from '../quote/route-answer.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { formatTokenAmount } from './describe-route.ts';
import type { FlowLeg, FlowToken } from './route-graph.ts';

/** What the parts of a drawn route share. */
export interface FlowPartProps {
  readonly tokens: KnownTokens;
  readonly changed: ReadonlySet<number>;
  /** The step whose details are shown; null: none. */
  readonly shown: number | null;
  /** The step that was pressed, and stays shown; null: none. */
  readonly chosen: number | null;
  readonly onPoint: (index: number | null) => void;
  readonly onChoose: (index: number) => void;
}

/** A token of the route, with what passes through it. */
export function TokenBox({ token, tokens }: { readonly token: FlowToken; readonly tokens: KnownTokens }) {
  return (
    <div className="flow-token" title={token.mint}>
      <span className="flow-token__symbol">{tokens.getSymbol(token.mint)}</span>
      <span className="flow-token__amount">{formatPlainAmount(token, tokens)}</span>
    </div>
  );
}

/** A step of the route. Pressing it keeps its details shown. */
export function LegCard({
  leg: { index, leg, share },
  tokens,
  changed,
  shown,
  chosen,
  onPoint,
  onChoose,
}: FlowPartProps & { readonly leg: FlowLeg }) {
  return (
    <button
      type="button"
      className={`flow-card flow-card--${(index % 6) + 1}`}
      aria-pressed={chosen === index}
      data-shown={shown === index}
      data-changed={changed.has(index)}
      onClick={() => onChoose(index)}
      onMouseEnter={() => onPoint(index)}
      onMouseLeave={() => onPoint(null)}
      onFocus={() => onPoint(index)}
      onBlur={() => onPoint(null)}
    >
      <span className="flow-card__head">
        <span className="flow-card__venue">{leg.venue}</span>
        <span className="flow-card__share">{formatShare(share)}</span>
      </span>
      <span className="flow-card__amount">{formatTokenAmount(leg.inAmount, leg.inputMint, tokens)}</span>
      <span className="flow-card__amount">
        <span className="visually-hidden">for </span>
        <span aria-hidden="true">→ </span>
        {formatTokenAmount(leg.outAmount, leg.outputMint, tokens)}
      </span>
      {isMakerLeg(leg) ? <span className="flow-card__maker">maker</span> : null}
      {changed.has(index) ? <span className="flow-card__changed">changed</span> : null}
    </button>
  );
}

function formatPlainAmount({ mint, amount }: FlowToken, tokens: KnownTokens): string {
  const text = formatTokenAmount(amount, mint, tokens);
  const symbol = tokens.getSymbol(mint);
  return text.endsWith(` ${symbol}`) ? text.slice(0, -symbol.length - 1) : text;
}
