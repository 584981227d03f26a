import type { ReactNode } from 'react';
import type { Scope } from '../../api/scope.ts';
import { can, useSession } from '../../api/session.ts';
import { AdminGate } from '../admin-gate.tsx';
import { Page } from '../page.tsx';
import { SubNavigation, type SubPage } from '../sub-navigation.tsx';

const OPERATE_PAGES: readonly SubPage[] = [
  { to: '/operate', label: 'Overview', exact: true },
  { to: '/operate/alerts', label: 'Alerts' },
  { to: '/operate/log', label: 'Requests' },
  { to: '/operate/analytics', label: 'Analytics' },
  { to: '/operate/orders', label: 'Orders' },
  { to: '/operate/landings', label: 'Landings' },
  { to: '/operate/audit', label: 'Audit' },
  { to: '/operate/plans', label: 'Plans' },
  { to: '/operate/settings', label: 'Settings' },
  { to: '/operate/backups', label: 'Backups' },
];

const ORGANISATION_PAGES: readonly SubPage[] = [
  { to: '/organisations/$organisation', label: 'Overview', exact: true },
  { to: '/organisations/$organisation/keys', label: 'Keys' },
  { to: '/organisations/$organisation/members', label: 'Members' },
  { to: '/organisations/$organisation/firewall', label: 'Firewall' },
  { to: '/organisations/$organisation/log', label: 'Requests' },
  { to: '/organisations/$organisation/analytics', label: 'Analytics' },
  { to: '/organisations/$organisation/usage', label: 'Usage' },
  { to: '/organisations/$organisation/orders', label: 'Orders' },
  { to: '/organisations/$organisation/audit', label: 'Audit' },
];

/** The pages of a section by what they are about, and the right that a reader of the page needs beyond those of every member. */
const PAGES = {
  instance: OPERATE_PAGES.map((page) => ({ ...page, right: 'instance.write' })),
  organisation: ORGANISATION_PAGES.map((page) => ({
    ...page,
    right: page.label === 'Audit' ? 'audit.read' : undefined,
  })),
} as const satisfies Record<Scope['kind'], readonly (SubPage & { readonly right: string | undefined })[]>;

/** A page about an organisation or about the instance: its title, the way to its siblings, and its content after signing in. */
export function ManageFrame({
  scope,
  title,
  lead,
  what,
  right = scope.kind === 'instance' ? 'instance.write' : 'organisation.read',
  children,
}: {
  readonly scope: Scope;
  readonly title: string;
  readonly lead?: ReactNode;
  /** What the page shows, as the beginning of a sentence in the plural: `The keys of acme`. */
  readonly what: string;
  /** What a reader needs. Default: to read the organisation, or for pages of the instance to be the operator. */
  readonly right?: string;
  readonly children: ReactNode;
}) {
  const session = useSession();
  const organisation = scope.kind === 'organisation' ? scope.organisation : undefined;
  // Before signing in, nobody's role is known.
  const pages = PAGES[scope.kind].filter(
    (page) => session === null || page.right === undefined || can(session, page.right),
  );
  return (
    <Page title={title} lead={lead} wide>
      {pages.length === 0 ? null : organisation === undefined ? (
        <SubNavigation label="Operate" pages={pages} />
      ) : (
        <SubNavigation label={organisation} pages={pages} parameters={{ organisation }} />
      )}
      <AdminGate what={what} right={right} organisation={organisation}>
        {children}
      </AdminGate>
    </Page>
  );
}
