import './page.css';
import { type ReactNode, useEffect } from 'react';

/** A page: its title, a sentence on what it is for, and its content. */
export function Page({
  title,
  lead,
  wide = false,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Whether the page uses the whole width of the window, for what is wide itself. Default: false. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} - Sluice`;
  }, [title]);
  return (
    <div className={wide ? 'page page--wide' : 'page'}>
      <h1 className="page__title" tabIndex={-1}>
        {title}
      </h1>
      {lead === undefined ? null : <p className="page__lead">{lead}</p>}
      {children}
    </div>
  );
}

/** A part of a page with a heading, in a frame of its own. */
export function Panel({
  title,
  aside,
  children,
}: {
  readonly title?: string;
  /** Shown at the right of the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="panel">
      {title === undefined ? null : (
        <div className="panel__head">
          <h2 className="panel__title">{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
