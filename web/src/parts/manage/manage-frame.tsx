import type { ReactNode } from 'react';
import type { Scope } from '../../api/scope.ts';
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

/** A page about an organisation or about the instance: its title, the way to its siblings, and its content after signing in. */
export function ManageFrame({
  scope,
  title,
  lead,
  what,
  children,
}: {
  readonly scope: Scope;
  readonly title: string;
  readonly lead?: ReactNode;
  /** What the page shows, as the beginning of a sentence in the plural: `The keys of acme`. */
  readonly what: string;
  readonly children: ReactNode;
}) {
  return (
    <Page title={title} lead={lead} wide>
      {scope.kind === 'instance' ? (
        <SubNavigation label="Operate" pages={OPERATE_PAGES} />
      ) : (
        <SubNavigation
          label={scope.organisation}
          pages={ORGANISATION_PAGES}
          parameters={{ organisation: scope.organisation }}
        />
      )}
      <AdminGate what={what}>{children}</AdminGate>
    </Page>
  );
}
