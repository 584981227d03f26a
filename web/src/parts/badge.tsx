import './badge.css';
import type { ReactNode } from 'react';

/** A word in a frame of its colour. The colour says nothing that the word does not say. */
export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'accent' | 'good' | 'warning' | 'danger';
  readonly children: ReactNode;
}) {
  return <span className={`badge badge--${tone}`}>{children}</span>;
}
