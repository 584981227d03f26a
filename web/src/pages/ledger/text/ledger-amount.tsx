import type { KnownTokens } from '../../../api/known-tokens.ts';
import { labelToken } from '../../../api/token-label.ts';
import { formatUnits, formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';

/** Writes an amount of a token in units; in smallest units where its decimals are not known. */
export function formatTokenAmount(tokens: KnownTokens, mint: string, atoms: bigint): string {
  const { decimals } = tokens.findMarket(mint);
  const label = escapeInvisible(labelToken(tokens, mint));
  return decimals === null
    ? `${formatWhole(atoms)} atoms of ${label}`
    : `${formatUnits(atoms, decimals)} ${label}`;
}

/** An amount of a token, or what is known of it. */
export function LedgerAmount({
  tokens,
  mint,
  atoms,
}: {
  readonly tokens: KnownTokens;
  readonly mint: string | null;
  readonly atoms: bigint | null;
}) {
  if (mint === null) return <span className="ledger-muted">not known</span>;
  if (atoms === null) return <span title={mint}>{escapeInvisible(labelToken(tokens, mint))}</span>;
  return (
    <span title={`${atoms} of the smallest unit of ${mint}`}>{formatTokenAmount(tokens, mint, atoms)}</span>
  );
}
