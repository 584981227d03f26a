import { Link } from '@tanstack/react-router';
import type { KnownTokens } from '../../../../api/known-tokens.ts';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatBriefUnits } from '../../../../base/format-brief.ts';
import { getText } from '../../../../base/read-json.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { RawAnswer } from '../../../../parts/raw-answer.tsx';
import { Stat, StatList } from '../../../../parts/stat.tsx';
import { FilledBar } from '../../frame/filled-bar.tsx';
import { MintAmount } from '../../frame/mint-amount.tsx';
import { CURVE_PRICE_PLACES, type CurveView } from '../model/parse-launches.ts';

/** How far a curve is, in numbers, and where the token trades. */
export function CurveFacts({
  mint,
  curve,
  tokens,
}: {
  readonly mint: string;
  readonly curve: CurveView;
  readonly tokens: KnownTokens;
}) {
  const addresses = useRawQuery(`/studio/v1/dbc-pool/addresses/${encodeURIComponent(mint)}`);
  const graduated = getText(addresses.data?.exact, 'dammv2PoolAddress');
  const { now, target, quoteMint, progress, isComplete, isMigrated } = curve;
  return (
    <>
      <StatList>
        <Stat
          label="Raised"
          value={isMigrated ? 'all of it' : <MintAmount raw={now.raised} mint={quoteMint} tokens={tokens} />}
          note={
            <FilledBar millionths={progress}>
              of <MintAmount raw={target} mint={quoteMint} tokens={tokens} />
            </FilledBar>
          }
        />
        <Stat
          label={isComplete ? 'Price at the end of the curve' : 'Price now'}
          value={formatCurvePrice(now.price, quoteMint, tokens)}
          note="By the curve, without its fee."
        />
        <Stat label="Sold" value={<MintAmount raw={now.sold} mint={mint} tokens={tokens} />} />
        <Stat
          label="State"
          value={
            isMigrated ? (
              <Badge tone="good">graduated</Badge>
            ) : isComplete ? (
              <Badge tone="warning">waits for its migration</Badge>
            ) : (
              <Badge tone="accent">sells</Badge>
            )
          }
        />
      </StatList>
      <ul className="launch-links">
        <li>
          Token:{' '}
          <Link to="/explorer/token/$mint" params={{ mint }} preload={false}>
            {tokens.getSymbol(mint)}
          </Link>{' '}
          <AddressText address={mint} />
        </li>
        <li>
          Curve:{' '}
          <Link to="/explorer/pool/$address" params={{ address: curve.pool }} preload={false}>
            as a pool
          </Link>{' '}
          <AddressText address={curve.pool} />
        </li>
        {graduated === null ? null : (
          <li>
            Pool since the graduation:{' '}
            <Link to="/explorer/pool/$address" params={{ address: graduated }} preload={false}>
              its depth
            </Link>{' '}
            <AddressText address={graduated} />
          </li>
        )}
      </ul>
      <RawAnswer raw={addresses.data} name="of the addresses" />
    </>
  );
}

/** Formats what a whole token costs in the quote token. */
export function formatCurvePrice(price: bigint, quoteMint: string, tokens: KnownTokens): string {
  const { decimals } = tokens.findMarket(quoteMint);
  const symbol = tokens.getSymbol(quoteMint);
  if (decimals === null)
    return `${formatBriefUnits(price, CURVE_PRICE_PLACES)} of the smallest unit of ${symbol}`;
  return `${formatBriefUnits(price, CURVE_PRICE_PLACES + decimals)} ${symbol}`;
}
