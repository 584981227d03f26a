import { Link } from '@tanstack/react-router';
import { formatWhole } from '../../../base/format-amount.ts';

/** A slot, as a link to its block. */
export function SlotLink({ slot }: { readonly slot: number | bigint }) {
  return (
    <Link to="/explorer/block/$slot" params={{ slot: String(slot) }} preload={false}>
      {formatWhole(slot)}
    </Link>
  );
}
