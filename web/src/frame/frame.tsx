import './frame.css';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type InstanceInfo, isOverLimit, useDocsUrl, useInstance } from '../api/instance.ts';
import { ApiError } from '../api/call.ts';
import { AlertCount } from './alert-count.tsx';
import { can, type Session, useSession } from '../api/session.ts';
import { AccountMenu } from './account-menu.tsx';
import { KeyPrompt } from './key-prompt.tsx';
import { DocsSearch } from './docs-search.tsx';
import { Mark } from './mark.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** The pages that the header leads to, in its order. */
const PAGES = [
  { to: '/', label: 'Start' },
  { to: '/playground', label: 'Playground' },
  { to: '/routes', label: 'Routes' },
  { to: '/explorer', label: 'Explorer' },
  { to: '/products', label: 'Products' },
  { to: '/makers', label: 'Makers' },
  { to: '/controls', label: 'Controls' },
  { to: '/organisations', label: 'Organisations' },
  { to: '/operate', label: 'Operate' },
  { to: '/reference', label: 'API reference' },
] as const;

/** What every page stands in: the header, the page itself, and the footer. */
export function Frame() {
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main);
  const { error } = useInstance();
  const path = useRouterState({ select: (state) => state.location.pathname });
  // A maker enters its own key on its page, which is none for anything else.
  const isRefused = error instanceof ApiError && error.status === 401 && !/\/makers\/?$/.test(path);
  const needsKey = isRefused || isOverLimit(error);
  return (
    <>
      <a className="frame__skip" href="#main">
        Skip to the page
      </a>
      <header className="frame__header">
        <div className="frame__bar">
          <Link to="/" className="frame__brand" aria-label="Sluice, start page">
            <Mark />
            Sluice
          </Link>
          <Navigation />
          <DocsSearch />
          <AccountMenu />
          <ThemeSwitch />
        </div>
      </header>
      <main id="main" className="frame__main" ref={main} tabIndex={-1}>
        {error instanceof ApiError && needsKey ? <KeyPrompt refusal={error} /> : <Outlet />}
      </main>
      <Footer />
    </>
  );
}

function Navigation() {
  const docs = useDocsUrl();
  const { data: instance } = useInstance();
  const session = useSession();
  const list = useRef<HTMLUListElement>(null);
  useCurrentPageInSight(list, instance?.controls === true);
  return (
    <nav className="frame__navigation" aria-label="Portal">
      <ul ref={list}>
        {PAGES.filter(({ to }) => isShown(to, instance, session)).map(({ to, label }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/' }}>
              {label}
              {to === '/operate' ? <AlertCount /> : null}
            </Link>
          </li>
        ))}
        <li>
          <a href={docs}>Docs</a>
        </li>
      </ul>
    </nav>
  );
}

/** The pages that only the admin port serves. */
const OF_ADMIN: ReadonlySet<string> = new Set(['/organisations', '/operate']);
const OF_OPERATOR: ReadonlySet<string> = new Set(['/operate', '/controls', '/makers']);

/** A page that the reader's role does not open is not shown. Before signing in, nobody's role is known. */
function isShown(page: string, instance: InstanceInfo | undefined, session: Session | null): boolean {
  if (OF_OPERATOR.has(page) && session !== null && !can(session, 'instance.write')) return false;
  if (OF_ADMIN.has(page)) return instance?.port === 'admin';
  return page !== '/controls' || instance?.controls === true;
}

function Footer() {
  const { data } = useInstance();
  const docs = useDocsUrl();
  return (
    <footer className="frame__footer">
      <p>
        Sluice {data?.version ?? ''}
        {data === undefined
          ? ''
          : data.network.kind === 'embedded'
            ? ' over its own network'
            : ' over an outside RPC'}
      </p>
      <p>
        <a href={`${docs}/quickstart/integrator`}>Quick start</a> <a href={`${docs}/errors`}>Errors</a>{' '}
        <a href="/portal/data/openapi">OpenAPI</a>
      </p>
    </footer>
  );
}

/** Moves the focus to the new page, as a browser does when it loads one, so that a screen reader reads it. */
function useFocusOnNavigation(main: { readonly current: HTMLElement | null }): void {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const last = useRef(path);
  useEffect(() => {
    const isFirst = last.current === undefined;
    if (path === undefined || path === last.current) return;
    last.current = path;
    if (isFirst) return;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path, main]);
}

/** Scrolls a row of links that is wider than the window to the page that is open. */
function useCurrentPageInSight(list: { readonly current: HTMLElement | null }, hasControls: boolean): void {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, or another row, has its current link elsewhere.
  useEffect(() => {
    const row = list.current;
    const link = row?.querySelector<HTMLElement>('[aria-current="page"]') ?? null;
    if (row === null || link === null) return;
    row.scrollLeft = link.offsetLeft - row.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
  }, [path, list, hasControls]);
}
