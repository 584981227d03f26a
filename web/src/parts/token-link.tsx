import { Link } from '@tanstack/react-router';
import { escapeInvisible, shortenAddress } from '../base/format-text.ts';

/** What a token is called, as a link to its page in the explorer. Without a label it is its shortened mint. */
export function TokenLink({ mint, label }: { readonly mint: string; readonly label: string | null }) {
  return (
    <Link to="/explorer/token/$mint" params={{ mint }} preload={false} title={mint}>
      {label === null ? shortenAddress(mint) : escapeInvisible(label)}
    </Link>
  );
}
