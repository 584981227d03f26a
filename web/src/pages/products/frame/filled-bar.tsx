import './filled-bar.css';
import type { ReactNode } from 'react';
import { formatShare } from '../../../base/format-dollars.ts';

/** A share as a bar, with the share and what it is of as text. */
export function FilledBar({
  millionths,
  children,
}: {
  /** Of the whole, from 0 to a million; null: it is not known. */
  readonly millionths: bigint | null;
  /** Shown behind the share. */
  readonly children?: ReactNode;
}) {
  if (millionths === null) return <span>unknown</span>;
  return (
    <span className="filled-bar">
      <span className="filled-bar__track" aria-hidden="true">
        <span className="filled-bar__part" style={{ width: `${Number(millionths) / 10_000}%` }} />
      </span>
      <span className="filled-bar__text">
        {formatShare(millionths)}
        {children === undefined ? null : <> {children}</>}
      </span>
    </span>
  );
}
