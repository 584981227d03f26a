import './disclosure.css';
import type { ReactNode } from 'react';

/** What is shown on request. The browser's own element: find in page opens it, and it needs no script. */
export function Disclosure({
  summary,
  open = false,
  children,
}: {
  readonly summary: ReactNode;
  /** Whether it is open at first. Default: false. */
  readonly open?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <details className="disclosure" open={open}>
      <summary>{summary}</summary>
      <div className="disclosure__content">{children}</div>
    </details>
  );
}
