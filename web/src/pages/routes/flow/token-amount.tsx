import { Amount } from '../../../parts/amount.tsx';
import type { KnownTokens } from '../../../api/known-tokens.ts';

/** An exact amount of a token with its symbol; in smallest units where the decimals are not known. */
export function TokenAmount({
  raw,
  mint,
  tokens,
  signed = false,
}: {
  readonly raw: bigint;
  readonly mint: string;
  readonly tokens: KnownTokens;
  readonly signed?: boolean;
}) {
  const { decimals } = tokens.findMarket(mint);
  const symbol = tokens.getSymbol(mint);
  return decimals === null ? (
    <Amount raw={raw} decimals={0} symbol={`units of ${symbol}`} signed={signed} />
  ) : (
    <Amount raw={raw} decimals={decimals} symbol={symbol} signed={signed} />
  );
}
