import type { ReactNode } from 'react';

/** Named facts below each other. */
export function FactList({ children }: { readonly children: ReactNode }) {
  return <dl className="log-facts">{children}</dl>;
}

/** One fact of a `FactList`. */
export function LogFact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
