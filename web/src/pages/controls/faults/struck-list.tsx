import { escapeInvisible } from '../../../base/format-text.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';

/** Something that a fault has struck. */
export interface StruckItem {
  readonly text: string;
  /** In milliseconds of the Unix epoch. */
  readonly at?: number;
  /** Of a transaction. */
  readonly signature?: string;
}

/** What faults have struck, the newest first. The server keeps the last hundred. */
export function StruckList({ items }: { readonly items: readonly StruckItem[] }) {
  if (items.length === 0) return null;
  return (
    <Disclosure summary={`Struck so far: ${items.length}`}>
      <ul className="struck-list">
        {items.toReversed().map(({ text, at, signature }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be the same.
          <li key={index}>
            {at === undefined ? null : `${formatUtcTime(at).slice(11)} `}
            {signature === undefined ? null : (
              <>
                <AddressText address={signature} link="transaction" copy={false} />{' '}
              </>
            )}
            {escapeInvisible(text)}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
