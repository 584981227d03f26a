import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Frame } from './frame/frame.tsx';
import { NotFound } from './frame/not-found.tsx';
import { RouteError } from './frame/route-error.tsx';
import { formatSearch, parseSearch } from './base/search-text.ts';

const rootRoute = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: RouteError,
});

const start = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/start/index.tsx'), 'StartPage'),
});

const playground = createRoute({
  getParentRoute: () => rootRoute,
  path: 'playground',
  component: lazyRouteComponent(() => import('./pages/playground/index.tsx'), 'PlaygroundPage'),
});

const playgroundOperation = createRoute({
  getParentRoute: () => rootRoute,
  path: 'playground/$operationId',
  component: lazyRouteComponent(() => import('./pages/playground/index.tsx'), 'PlaygroundPage'),
});

const routes = createRoute({
  getParentRoute: () => rootRoute,
  path: 'routes',
  component: lazyRouteComponent(() => import('./pages/routes/index.tsx'), 'RoutesPage'),
});

const reference = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reference',
  component: lazyRouteComponent(() => import('./pages/reference/index.tsx'), 'ReferencePage'),
});

const referenceOperation = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reference/$operationId',
  component: lazyRouteComponent(() => import('./pages/reference/index.tsx'), 'ReferencePage'),
});

const explorer = createRoute({
  getParentRoute: () => rootRoute,
  path: 'explorer',
  component: lazyRouteComponent(() => import('./pages/explorer/index.tsx'), 'ExplorerPage'),
});

const explorerTransaction = createRoute({
  getParentRoute: () => rootRoute,
  path: 'explorer/tx/$signature',
  component: lazyRouteComponent(() => import('./pages/explorer/index.tsx'), 'TransactionPage'),
});

const explorerAccount = createRoute({
  getParentRoute: () => rootRoute,
  path: 'explorer/account/$address',
  component: lazyRouteComponent(() => import('./pages/explorer/index.tsx'), 'AccountPage'),
});

/** The pages of the portal. A page is loaded when it is first opened. */
export const router = createRouter({
  basepath: '/portal',
  parseSearch,
  stringifySearch: formatSearch,
  routeTree: rootRoute.addChildren([
    start,
    playground,
    playgroundOperation,
    routes,
    reference,
    referenceOperation,
    explorer,
    explorerTransaction,
    explorerAccount,
  ]),
  // A page that fails leaves the frame, and with it the way to the others.
  defaultErrorComponent: RouteError,
  defaultPreload: 'intent',
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
