import { formatUnits, formatWhole } from '../../../../base/format-amount.ts';
import { formatDollars, formatShare } from '../../../../base/format-dollars.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Stat, StatList } from '../../../../parts/stat.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { DOLLAR_PLACES, type TokenRow } from '../data/token-row.ts';
import { formatTokenPrice } from '../data/token-table.tsx';

/** The figures of a token, as the token lists have them. */
export function TokenFacts({ token }: { readonly token: TokenRow | null }) {
  if (token === null) {
    return (
      <EmptyNote>
        No list of this gateway has the token, because no pool trades it. Below is what its mint says.
      </EmptyNote>
    );
  }
  const { price, change, marketCap, liquidity, volume, holders, supply, symbol } = token;
  return (
    <StatList>
      <Stat
        label="Price"
        value={formatTokenPrice(price)}
        note={change === null ? undefined : `${change > 0n ? '+' : ''}${formatShare(change * 100n)} in 24 h`}
      />
      <Stat label="Market capitalisation" value={marketCap === null ? '–' : formatDollars(marketCap)} />
      <Stat label="Liquidity in pools" value={liquidity === null ? '–' : formatDollars(liquidity)} />
      <Stat label="Volume in 24 h" value={volume === null ? '–' : formatDollars(volume)} />
      <Stat
        label="Supply"
        value={supply === null ? '–' : `${formatUnits(supply, DOLLAR_PLACES)} ${symbol ?? ''}`}
      />
      <Stat label="Decimals" value={String(token.decimals)} />
      <Stat label="Holders" value={holders === null ? '–' : formatWhole(holders)} />
      <Stat label="Who can make more" value={<Authority address={token.mintAuthority} />} />
      <Stat label="Who can freeze it" value={<Authority address={token.freezeAuthority} />} />
    </StatList>
  );
}

function Authority({ address }: { readonly address: string | null }) {
  return address === null ? 'nobody' : <AddressText address={address} copy={false} />;
}
