import { escapeInvisible } from '../../../base/format-text.ts';
import { isAddress } from '../../../base/is-address.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { splitBase58 } from './split-base58.ts';

/** What was seen in a situation. Addresses and signatures are short, and lead into the explorer. */
export function DetailText({ text }: { readonly text: string }) {
  const at = { of: 0 };
  return splitBase58(text).map((piece) => {
    const key = `${at.of}`;
    at.of += piece.length;
    if (isAddress(piece)) return <AddressText key={key} address={piece} copy={false} />;
    if (isSignature(piece)) return <AddressText key={key} address={piece} link="transaction" copy={false} />;
    return <span key={key}>{escapeInvisible(piece)}</span>;
  });
}

function isSignature(piece: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(piece);
}
