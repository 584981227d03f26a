import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { formatShare } from '../../../../base/format-dollars.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import type { AssetNote } from '../model/position.ts';

/** What is special about an asset: that it is locked, can be claimed, earns, or belongs to a validator. */
export function AssetNotes({ notes }: { readonly notes: readonly AssetNote[] }) {
  return (
    <span className="asset-notes">
      {notes.map((note, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the notes of an asset have no name but their place.
        <Note key={index} note={note} />
      ))}
    </span>
  );
}

function Note({ note }: { readonly note: AssetNote }) {
  switch (note.kind) {
    case 'locked':
      return (
        <Badge tone="warning">
          {note.until === null ? 'locked, end unknown' : `locked until ${formatUtcTime(note.until)}`}
        </Badge>
      );
    case 'claimable':
      return <Badge tone="good">can be claimed</Badge>;
    case 'tag':
      return <Badge>{note.text}</Badge>;
    case 'validator':
      return (
        <span>
          validator <AddressText address={note.address} copy={false} />
        </span>
      );
    case 'prediction':
      return (
        <span>
          {note.side}: {note.market}
        </span>
      );
    case 'rate':
      return <Badge>{formatShare(note.rate)} a year</Badge>;
  }
}
