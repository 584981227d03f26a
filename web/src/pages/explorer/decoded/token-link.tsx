import { Link } from '@tanstack/react-router';
import { escapeInvisible, shortenAddress } from '../../../base/format-text.ts';

/** A link to the page of a token, by its symbol or its shortened mint. */
export function TokenLink({ mint, symbol }: { readonly mint: string; readonly symbol: string | null }) {
  return (
    <Link to="/explorer/token/$mint" params={{ mint }} preload={false} title={mint}>
      {symbol === null ? shortenAddress(mint) : escapeInvisible(symbol)}
    </Link>
  );
}
