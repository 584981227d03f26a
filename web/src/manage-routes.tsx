import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root-route.tsx';

const organisations = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations',
  component: lazyRouteComponent(() => import('./pages/organisations/index.tsx'), 'OrganisationsPage'),
});

const organisation = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation',
  component: lazyRouteComponent(() => import('./pages/organisations/overview/index.tsx'), 'OrganisationPage'),
});

const organisationKeys = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation/keys',
  component: lazyRouteComponent(() => import('./pages/organisations/keys/index.tsx'), 'KeysPage'),
});

const organisationMembers = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation/members',
  component: lazyRouteComponent(() => import('./pages/organisations/members/index.tsx'), 'MembersPage'),
});

const organisationUsage = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation/usage',
  component: lazyRouteComponent(() => import('./pages/organisations/usage/index.tsx'), 'UsagePage'),
});

const organisationFirewall = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation/firewall',
  component: lazyRouteComponent(() => import('./pages/firewall/index.tsx'), 'FirewallPage'),
});

const organisationLog = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation/log',
  component: lazyRouteComponent(() => import('./pages/log/organisation-log.tsx'), 'OrganisationLogPage'),
});

const operateLog = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/log',
  component: lazyRouteComponent(() => import('./pages/log/instance-log.tsx'), 'InstanceLogPage'),
});

const organisationAnalytics = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation/analytics',
  component: lazyRouteComponent(
    () => import('./pages/analytics/organisation-analytics.tsx'),
    'OrganisationAnalyticsPage',
  ),
});

const operateAnalytics = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/analytics',
  component: lazyRouteComponent(
    () => import('./pages/analytics/instance-analytics.tsx'),
    'InstanceAnalyticsPage',
  ),
});

const organisationOrders = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation/orders',
  component: lazyRouteComponent(
    () => import('./pages/ledger/organisation-orders.tsx'),
    'OrganisationOrdersPage',
  ),
});

const organisationOrder = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation/orders/$order',
  component: lazyRouteComponent(
    () => import('./pages/ledger/organisation-order.tsx'),
    'OrganisationOrderPage',
  ),
});

const operateOrders = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/orders',
  component: lazyRouteComponent(() => import('./pages/ledger/instance-orders.tsx'), 'InstanceOrdersPage'),
});

const operateOrder = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/orders/$order',
  component: lazyRouteComponent(() => import('./pages/ledger/instance-order.tsx'), 'InstanceOrderPage'),
});

const organisationAudit = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organisations/$organisation/audit',
  component: lazyRouteComponent(
    () => import('./pages/audit/organisation-audit.tsx'),
    'OrganisationAuditPage',
  ),
});

const operateAudit = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/audit',
  component: lazyRouteComponent(() => import('./pages/audit/instance-audit.tsx'), 'InstanceAuditPage'),
});

const operate = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate',
  component: lazyRouteComponent(() => import('./pages/operate/index.tsx'), 'OperatePage'),
});

const operateLandings = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/landings',
  component: lazyRouteComponent(() => import('./pages/landings/index.tsx'), 'LandingsPage'),
});

const operateAlerts = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/alerts',
  component: lazyRouteComponent(() => import('./pages/alerts/index.tsx'), 'AlertsPage'),
});

const operateSettings = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/settings',
  component: lazyRouteComponent(() => import('./pages/settings/index.tsx'), 'SettingsPage'),
});

const operateBackups = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/backups',
  component: lazyRouteComponent(() => import('./pages/backups/index.tsx'), 'BackupsPage'),
});

const operatePlans = createRoute({
  getParentRoute: () => rootRoute,
  path: 'operate/plans',
  component: lazyRouteComponent(() => import('./pages/plans/index.tsx'), 'PlansPage'),
});

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  component: lazyRouteComponent(() => import('./pages/sign-in/index.tsx'), 'SignInPage'),
});

const invitation = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invitation',
  component: lazyRouteComponent(() => import('./pages/sign-in/invitation.tsx'), 'InvitationPage'),
});

/** The pages for members of organisations, and for the operator. A page is loaded when it is first opened. */
export const MANAGE_ROUTES = [
  organisations,
  organisation,
  organisationKeys,
  organisationMembers,
  organisationUsage,
  organisationFirewall,
  organisationLog,
  operateLog,
  organisationAnalytics,
  operateAnalytics,
  organisationOrders,
  organisationOrder,
  operateOrders,
  operateOrder,
  organisationAudit,
  operateAudit,
  operate,
  operateLandings,
  operateAlerts,
  operateSettings,
  operateBackups,
  operatePlans,
  signIn,
  invitation,
] as const;
