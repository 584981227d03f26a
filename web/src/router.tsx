import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { formatSearch, parseSearch } from './base/search-text.ts';
import { RouteError } from './frame/route-error.tsx';
import { MANAGE_ROUTES } from './manage-routes.tsx';
import { rootRoute } from './root-route.tsx';

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
  component: lazyRouteComponent(() => import('./pages/explorer/transaction/index.tsx'), 'TransactionPage'),
});

const explorerBlock = createRoute({
  getParentRoute: () => rootRoute,
  path: 'explorer/block/$slot',
  component: lazyRouteComponent(() => import('./pages/explorer/blocks/index.tsx'), 'BlockPage'),
});

const explorerAccount = createRoute({
  getParentRoute: () => rootRoute,
  path: 'explorer/account/$address',
  component: lazyRouteComponent(() => import('./pages/explorer/account/index.tsx'), 'AccountPage'),
});

const explorerTokens = createRoute({
  getParentRoute: () => rootRoute,
  path: 'explorer/tokens',
  component: lazyRouteComponent(() => import('./pages/explorer/tokens/index.tsx'), 'TokensPage'),
});

const explorerToken = createRoute({
  getParentRoute: () => rootRoute,
  path: 'explorer/token/$mint',
  component: lazyRouteComponent(() => import('./pages/explorer/tokens/token/index.tsx'), 'TokenPage'),
});

const explorerPools = createRoute({
  getParentRoute: () => rootRoute,
  path: 'explorer/pools',
  component: lazyRouteComponent(() => import('./pages/explorer/pools/index.tsx'), 'PoolsPage'),
});

const explorerPool = createRoute({
  getParentRoute: () => rootRoute,
  path: 'explorer/pool/$address',
  component: lazyRouteComponent(() => import('./pages/explorer/pools/pool/index.tsx'), 'PoolPage'),
});

const products = createRoute({
  getParentRoute: () => rootRoute,
  path: 'products',
  component: lazyRouteComponent(() => import('./pages/products/index.tsx'), 'ProductsPage'),
});

const portfolio = createRoute({
  getParentRoute: () => rootRoute,
  path: 'products/portfolio',
  component: lazyRouteComponent(() => import('./pages/products/portfolio/index.tsx'), 'PortfolioPage'),
});

const lend = createRoute({
  getParentRoute: () => rootRoute,
  path: 'products/lend',
  component: lazyRouteComponent(() => import('./pages/products/lend/index.tsx'), 'LendPage'),
});

const prices = createRoute({
  getParentRoute: () => rootRoute,
  path: 'products/prices',
  component: lazyRouteComponent(() => import('./pages/products/prices/index.tsx'), 'PricesPage'),
});

const orders = createRoute({
  getParentRoute: () => rootRoute,
  path: 'products/orders',
  component: lazyRouteComponent(() => import('./pages/products/orders/index.tsx'), 'OrdersPage'),
});

const launches = createRoute({
  getParentRoute: () => rootRoute,
  path: 'products/launches',
  component: lazyRouteComponent(() => import('./pages/products/launches/index.tsx'), 'LaunchesPage'),
});

const invites = createRoute({
  getParentRoute: () => rootRoute,
  path: 'products/invites',
  component: lazyRouteComponent(() => import('./pages/products/invites/index.tsx'), 'InvitesPage'),
});

const predictions = createRoute({
  getParentRoute: () => rootRoute,
  path: 'products/predictions',
  component: lazyRouteComponent(() => import('./pages/products/predictions/index.tsx'), 'PredictionsPage'),
});

const makers = createRoute({
  getParentRoute: () => rootRoute,
  path: 'makers',
  component: lazyRouteComponent(() => import('./pages/makers/index.tsx'), 'MakersPage'),
});

const maker = createRoute({
  getParentRoute: () => rootRoute,
  path: 'makers/$maker',
  component: lazyRouteComponent(() => import('./pages/makers/maker/index.tsx'), 'MakerPage'),
});

const controls = createRoute({
  getParentRoute: () => rootRoute,
  path: 'controls',
  component: lazyRouteComponent(() => import('./pages/controls/index.tsx'), 'ControlsPage'),
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
    explorerBlock,
    explorerAccount,
    explorerTokens,
    explorerToken,
    explorerPools,
    explorerPool,
    products,
    portfolio,
    lend,
    prices,
    orders,
    launches,
    invites,
    predictions,
    makers,
    maker,
    controls,
    ...MANAGE_ROUTES,
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
