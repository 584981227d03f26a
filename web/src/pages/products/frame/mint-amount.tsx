import type { KnownTokens } from '../../../api/known-tokens.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { Amount } from '../../../parts/amount.tsx';

/** An amount of a token in units with its symbol; in smallest units where nobody knows its decimals. */
export function MintAmount({
  raw,
  mint,
  tokens,
}: {
  /** Null: it is not known. */
  readonly raw: bigint | null;
  readonly mint: string;
  readonly tokens: KnownTokens;
}) {
  if (raw === null) return <span title="The answer does not say it.">unknown</span>;
  const { decimals } = tokens.findMarket(mint);
  const symbol = tokens.getSymbol(mint);
  if (decimals !== null) return <Amount raw={raw} decimals={decimals} symbol={symbol} />;
  return (
    <span className="amount" title="The decimals of the token are not known.">
      {formatWhole(raw)} of the smallest unit of {symbol}
    </span>
  );
}
