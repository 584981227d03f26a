import type { ReactNode } from 'react';
import { formatBriefDuration, formatUtcTime } from '../../../base/format-time.ts';

/** One step of what happened to an order. */
export function ChainStep({
  title,
  tone = 'plain',
  at = null,
  after = null,
  children,
}: {
  readonly title: string;
  /** The colour says nothing that the texts do not say. */
  readonly tone?: 'plain' | 'good' | 'warning' | 'danger';
  /** Unix milliseconds. */
  readonly at?: number | null;
  /** When the order was given out, to say how long after it this was. */
  readonly after?: number | null;
  readonly children: ReactNode;
}) {
  return (
    <li className={`order-chain__step order-chain__step--${tone}`}>
      <div className="order-chain__head">
        <h3>{title}</h3>
        {at === null ? null : (
          <span className="ledger-muted">
            {formatUtcTime(at)}
            {after === null || at < after
              ? ''
              : `, ${formatBriefDuration(at - after)} after it was given out`}
          </span>
        )}
      </div>
      {children}
    </li>
  );
}
