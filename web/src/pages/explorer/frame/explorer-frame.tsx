import type { ReactNode } from 'react';
import { Page } from '../../../parts/page.tsx';
import { SubNavigation, type SubPage } from '../../../parts/sub-navigation.tsx';

const PAGES: readonly SubPage[] = [
  { to: '/explorer', label: 'Overview', exact: true },
  { to: '/explorer/tokens', label: 'Tokens', others: '/explorer/token/' },
  { to: '/explorer/pools', label: 'Pools', others: '/explorer/pool/' },
];

/** A page of the explorer: its title, the way to the other lists, and its content. */
export function ExplorerFrame({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Page title={title} lead={lead}>
      <SubNavigation label="Explorer" pages={PAGES} />
      {children}
    </Page>
  );
}
