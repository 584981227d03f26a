import './status.css';
import type { ReactNode } from 'react';
import { describeFailure, isRefusedForGood } from '../api/call.ts';
import { escapeInvisible } from '../base/format-text.ts';
import { Button } from './button.tsx';

/** Said while something is loaded. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="status" role="status">
      <span className="status__pulse" aria-hidden="true" /> Loading {what} …
    </p>
  );
}

/** Said where a list is empty, with what would fill it. */
export function EmptyNote({ children }: { readonly children: ReactNode }) {
  return <div className="status status--empty">{children}</div>;
}

/** Says what went wrong, as the server said it, and offers to try again where that can help. */
export function ErrorNote({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  return (
    <div className="status status--error" role="alert">
      <p>{escapeInvisible(describeFailure(error))}</p>
      {onRetry === undefined || isRefusedForGood(error) ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
