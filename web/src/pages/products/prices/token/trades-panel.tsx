import { Link } from '@tanstack/react-router';
import type { KnownTokens } from '../../../../api/known-tokens.ts';
import { formatWhole } from '../../../../base/format-amount.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { SOL_MINT, USDC_MINT } from '../../../../base/mints.ts';
import { PlaygroundLink } from '../../../../parts/raw-answer.tsx';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { LiveFeed } from '../../../../parts/live/live-feed.tsx';
import type { EventSourceState } from '../../../../parts/live/use-event-source.ts';
import type { SampledFeed } from '../../../../parts/live/use-sampled-feed.ts';
import { Panel } from '../../../../parts/page.tsx';
import { BriefAmount, Dollars } from '../../money/money-text.tsx';
import type { PriceTrade } from '../model/read-trades.ts';

/** The trades of a token since the page was opened. */
export function TradesPanel({
  mint,
  tokens,
  trades,
  live,
}: {
  readonly mint: string;
  readonly tokens: KnownTokens;
  readonly trades: SampledFeed<PriceTrade>;
  readonly live: EventSourceState;
}) {
  const symbol = tokens.getSymbol(mint);
  return (
    <Panel title="Trades since the page was opened">
      <LiveFeed
        label={`Trades of ${symbol}, the newest first`}
        feed={trades}
        source={live}
        noun={['trade', 'trades']}
        empty={
          <>
            No trade of {symbol} yet.{' '}
            <PlaygroundLink path={composeFirstTrade(mint)}>Make one in the playground</PlaygroundLink>
          </>
        }
        renderRow={(trade) => <TradeRow trade={trade} mint={mint} tokens={tokens} />}
      />
    </Panel>
  );
}

/** Returns the request for an order that buys the token, for what every wallet of the faucet has. */
function composeFirstTrade(mint: string): string {
  const [inputMint, amount] = mint === USDC_MINT ? [SOL_MINT, '100000000'] : [USDC_MINT, '10000000'];
  return `/swap/v2/order?${new URLSearchParams({ inputMint, outputMint: mint, amount })}`;
}

function TradeRow({
  trade,
  mint,
  tokens,
}: {
  readonly trade: PriceTrade;
  readonly mint: string;
  readonly tokens: KnownTokens;
}) {
  const { time, isBuy, amount, otherAmount, otherMint, volume, isRoundTrip, isSandwich, trader, signature } =
    trade;
  return (
    <div className="trade-row">
      <span className="trade-row__side">
        <Badge tone={isBuy ? 'good' : 'danger'}>{isBuy ? 'bought' : 'sold'}</Badge>
      </span>
      <span className="trade-row__amounts">
        <TradedAmount raw={amount} mint={mint} tokens={tokens} /> for{' '}
        <TradedAmount raw={otherAmount} mint={otherMint} tokens={tokens} />
      </span>
      <span className="trade-row__value">
        <Dollars value={volume} />
      </span>
      <span className="trade-row__facts">
        {isRoundTrip ? <Badge tone="warning">traded back</Badge> : null}
        {isSandwich ? <Badge tone="warning">sandwich</Badge> : null}
        <TradeVenue trade={trade} />
        {trader === null ? null : (
          <span>
            by <AddressText address={trader} copy={false} />
          </span>
        )}
        {signature === null ? null : (
          <AddressText address={signature} label="transaction" link="transaction" copy={false} />
        )}
        {time === null ? null : <span>{formatUtcTime(time)}</span>}
      </span>
    </div>
  );
}

function TradedAmount({
  raw,
  mint,
  tokens,
}: {
  readonly raw: bigint;
  readonly mint: string;
  readonly tokens: KnownTokens;
}) {
  const { decimals } = tokens.findMarket(mint);
  const symbol = tokens.getSymbol(mint);
  return decimals === null ? (
    <span title="The decimals of the token are not known.">
      {formatWhole(raw)} of the smallest unit of {symbol}
    </span>
  ) : (
    <BriefAmount raw={raw} places={decimals} unit={symbol} />
  );
}

/** The pool of a trade; a maker's fill has none. */
function TradeVenue({ trade: { venue, pool } }: { readonly trade: PriceTrade }) {
  return pool === null ? (
    venue
  ) : (
    <Link to="/explorer/pool/$address" params={{ address: pool }} preload={false} title={pool}>
      {venue}
    </Link>
  );
}
