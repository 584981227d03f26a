import './stacked-rows.css';
import type { ReactNode } from 'react';

/** A table whose rows have much in them: on a narrow window, the cells of a row stand below each other. */
export function StackedRows({ children }: { readonly children: ReactNode }) {
  return <div className="stacked-rows">{children}</div>;
}
