import type { KnownTokens } from '../../../../api/known-tokens.ts';
import { formatUnits, formatWhole } from '../../../../base/format-amount.ts';
import { formatBriefUnits, formatRate } from '../../../../base/format-brief.ts';
import { formatShare } from '../../../../base/format-dollars.ts';
import { formatDuration, formatUtcTime } from '../../../../base/format-time.ts';
import { computeNanoDollars } from '../../../../base/market-price.ts';
import { MintAmount } from '../../frame/mint-amount.tsx';
import { computeDistance } from '../model/order-distance.ts';
import { type OrderTerm, type OrderView, TRIGGER_DECIMALS } from '../model/order-view.ts';

/** The conditions of an order, one below the other, with how far the market is from them. */
export function OrderTerms({ order, tokens }: { readonly order: OrderView; readonly tokens: KnownTokens }) {
  return (
    <ul className="order-terms">
      {order.terms.map((term) => (
        <li key={JSON.stringify(term, writeBigint)}>
          <TermText order={order} term={term} tokens={tokens} />
          <DistanceText order={order} term={term} tokens={tokens} />
        </li>
      ))}
    </ul>
  );
}

function TermText({
  order: { inputMint, outputMint },
  term,
  tokens,
}: {
  readonly order: OrderView;
  readonly term: OrderTerm;
  readonly tokens: KnownTokens;
}) {
  switch (term.kind) {
    case 'limit':
      return (
        <LimitText input={[inputMint, term.making]} output={[outputMint, term.taking]} tokens={tokens} />
      );
    case 'trigger':
      return (
        <>
          {term.label === null ? '' : `${term.label}: `}
          {tokens.getSymbol(term.mint)} {term.condition === 'above' ? 'at least' : 'at most'}{' '}
          {formatDollarPrice(term.price)}
        </>
      );
    case 'trailing':
      return <>follows the price, {formatShare(term.bps * 100n)} behind it</>;
    case 'rounds':
      return (
        <>
          <MintAmount raw={term.perRound} mint={inputMint} tokens={tokens} /> every{' '}
          {formatDuration(Number(term.seconds) * 1_000)}
          {term.count === null ? '' : `, ${formatWhole(term.count)} times`}
        </>
      );
    case 'bounds':
      return (
        <>
          a round brings{' '}
          {term.least === null ? null : (
            <>
              at least <MintAmount raw={term.least} mint={outputMint} tokens={tokens} />
            </>
          )}
          {term.least === null || term.most === null ? '' : ' and '}
          {term.most === null ? null : (
            <>
              at most <MintAmount raw={term.most} mint={outputMint} tokens={tokens} />
            </>
          )}
        </>
      );
    case 'range':
      return (
        <>
          while {tokens.getSymbol(term.mint)} costs{' '}
          {[
            term.least === null ? null : `at least ${formatDollarPrice(term.least)}`,
            term.most === null ? null : `at most ${formatDollarPrice(term.most)}`,
          ]
            .filter((part) => part !== null)
            .join(' and ')}
        </>
      );
    case 'next':
      return <>next round: {formatUtcTime(term.at)}</>;
  }
}

/** A price as people say it: what a unit of the token that is no dollar costs in the other one. */
function LimitText({
  input: [inputMint, making],
  output: [outputMint, taking],
  tokens,
}: {
  readonly input: readonly [string, bigint];
  readonly output: readonly [string, bigint];
  readonly tokens: KnownTokens;
}) {
  const [input, output] = [tokens.findMarket(inputMint), tokens.findMarket(outputMint)];
  if (input.decimals === null || output.decimals === null) return <>a price of unknown decimals</>;
  const sold = { raw: making, decimals: input.decimals };
  const bought = { raw: taking, decimals: output.decimals };
  const isPurchase = isDollar(inputMint, tokens) && !isDollar(outputMint, tokens);
  const rate = isPurchase ? formatRate(bought, sold) : formatRate(sold, bought);
  const [one, other] = isPurchase ? [outputMint, inputMint] : [inputMint, outputMint];
  return (
    <>
      1 {tokens.getSymbol(one)} {isPurchase ? 'for at most' : 'for at least'} {rate ?? 'nothing'}{' '}
      {tokens.getSymbol(other)}
    </>
  );
}

/** Whether a token costs about a dollar. */
function isDollar(mint: string, tokens: KnownTokens): boolean {
  const market = tokens.findMarket(mint);
  const worth = computeNanoDollars(10n ** BigInt(market.decimals ?? 0), market);
  return worth !== null && worth > 900_000_000n && worth < 1_100_000_000n;
}

function DistanceText({
  order,
  term,
  tokens,
}: {
  readonly order: OrderView;
  readonly term: OrderTerm;
  readonly tokens: KnownTokens;
}) {
  if (!order.isOpen || (term.kind === 'trigger' && !term.isLive)) return null;
  const distance = computeDistance(order, term, tokens.findMarket);
  if (distance === null) return null;
  return (
    <span className="order-terms__distance">
      {distance.kind === 'reached'
        ? 'the market is there'
        : `the market has to ${distance.direction} by ${formatShare(distance.millionths)}`}
    </span>
  );
}

function formatDollarPrice(price: bigint): string {
  // Prices of the cheapest tokens begin with many zeros, others are shown to the cent or further.
  return `$${price >= 10n ** BigInt(TRIGGER_DECIMALS) ? formatUnits(price, TRIGGER_DECIMALS) : formatBriefUnits(price, TRIGGER_DECIMALS)}`;
}

function writeBigint(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
