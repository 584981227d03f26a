import './stat.css';
import type { ReactNode } from 'react';

/** Labelled values beside each other, as many in a row as there is room for. */
export function StatList({ children }: { readonly children: ReactNode }) {
  return <dl className="stat-list">{children}</dl>;
}

/** One labelled value of a `StatList`, with its unit in the value. */
export function Stat({
  label,
  value,
  note,
  tone = 'plain',
}: {
  readonly label: string;
  readonly value: ReactNode;
  /** What explains the value, below it. */
  readonly note?: ReactNode;
  /** The colour says nothing that the texts do not say. Default: `plain`. */
  readonly tone?: 'plain' | 'good' | 'warning' | 'danger';
}) {
  return (
    <div className={`stat stat--${tone}`}>
      <dt>{label}</dt>
      <dd>{value}</dd>
      {note === undefined ? null : <dd className="stat__note">{note}</dd>}
    </div>
  );
}
