import type { Static } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { toResult } from '../../../common/refusal.ts';
import { getOrganisation } from '../../../platform/accounts/organisations.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { createPage, getPageLimit, parseCursor } from '../../../platform/requests/paging.ts';
import { readOwnerNames } from '../../../platform/traffic/names.ts';
import {
  findOrder,
  type LedgerFilter,
  type LedgerRange,
  listBids,
  listBidsOfOrder,
  listOrders,
} from '../../../swaps/ledger/ledger-query.ts';
import type { OrderLedger } from '../../../swaps/ledger/order-ledger.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { OrganisationParams } from '../platform/platform-schema.ts';
import { ORGANISATIONS } from '../platform/resource-paths.ts';
import { resolveTimeRange } from '../traffic/time-range.ts';
import { toBidLine, toFillLine, toOrderLine } from './ledger-json.ts';
import * as shape from './ledger-schema.ts';

interface LedgerServices {
  readonly platform: PlatformDependencies;
  readonly ledger: OrderLedger;
}

const LISTED_DAYS = 7;

const ordersOfAll = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/orders',
  summary: 'The orders that were given out, newest first',
  query: shape.OrderListQuery,
  responses: { 200: shape.OrdersAnswer },
  handle: async (services: LedgerServices, { query }) =>
    answerOrders(services, query, await findOwner(services, query.organisation)),
});

const ordersOfOrganisation = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/orders`,
  right: 'organisation.read',
  summary: 'The orders of an organisation, newest first',
  params: OrganisationParams,
  query: shape.OrganisationOrderListQuery,
  responses: { 200: shape.OrdersAnswer },
  handle: async (services: LedgerServices, { params: { organisation }, query }) =>
    answerOrders(services, query, await findOwner(services, organisation)),
});

const orderOfAll = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/orders/:order',
  summary: 'An order, its execution, and the makers that were considered for it',
  params: shape.OrderParams,
  responses: { 200: shape.OrderAnswer },
  handle: async ({ platform, ledger }: LedgerServices, { params: { order } }) => ({
    order: await answerOrder(platform, ledger, order, undefined),
    makers: (await listBidsOfOrder(ledger, order)).map(toBidLine),
  }),
});

const orderOfOrganisation = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/orders/:order`,
  right: 'organisation.read',
  summary: 'An order of an organisation, and its execution',
  params: shape.OrganisationOrderParams,
  responses: { 200: shape.OrganisationOrderAnswer },
  handle: async (services: LedgerServices, { params: { organisation, order } }) => {
    const { organisationId } = await findOwner(services, organisation);
    return { order: await answerOrder(services.platform, services.ledger, order, organisationId) };
  },
});

const fillsOfAll = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/fills',
  summary: 'The fills that makers were offered, newest first',
  query: shape.FillListQuery,
  responses: { 200: shape.FillsAnswer },
  handle: async (services: LedgerServices, { query }) =>
    answerFills(services, query, await findOwner(services, query.organisation)),
});

const fillsOfOrganisation = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/fills`,
  right: 'organisation.read',
  summary: 'The fills of the orders of an organisation, newest first',
  params: OrganisationParams,
  query: shape.OrganisationFillListQuery,
  responses: { 200: shape.FillsAnswer },
  handle: async (services: LedgerServices, { params: { organisation }, query }) =>
    answerFills(services, query, await findOwner(services, organisation)),
});

/** The ledger of orders and fills: of one organisation for its members, of all for the operator. */
export const LEDGER_ENDPOINTS = [
  ordersOfAll,
  ordersOfOrganisation,
  orderOfAll,
  orderOfOrganisation,
  fillsOfAll,
  fillsOfOrganisation,
];

type OrderQuery = Static<typeof shape.OrganisationOrderListQuery>;
type FillQuery = Static<typeof shape.OrganisationFillListQuery>;

async function findOwner({ platform }: LedgerServices, slug: string | undefined) {
  if (slug === undefined) return {};
  return { organisationId: unwrapResult(await getOrganisation(platform.store.db, slug)).id };
}

async function answerOrders(
  { platform, ledger }: LedgerServices,
  query: OrderQuery,
  owner: Pick<LedgerFilter, 'organisationId'>,
) {
  const range = await toRange(platform, query);
  const { router, outcome, code } = query;
  const filter = {
    ...owner,
    ...toFilter(query),
    ...(router === undefined ? {} : { router }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(code === undefined ? {} : { code }),
  };
  const rows = await listOrders(ledger, filter, range);
  const { items, next } = createPage(rows, query, ({ at, requestId }) => [at, requestId]);
  const names = await readNames(platform, items);
  return { orders: items.map((order) => toOrderLine(order, names)), next, dropped: ledger.lost };
}

async function answerFills(
  { platform, ledger }: LedgerServices,
  query: FillQuery,
  owner: Pick<LedgerFilter, 'organisationId'>,
) {
  const range = await toRange(platform, query);
  const { state } = query;
  const ofState = state === undefined ? {} : { state };
  const filter = { ...owner, ...toFilter(query), ...ofState, result: 'filled' } as const;
  const rows = await listBids(ledger, filter, range);
  const { items, next } = createPage(rows, query, ({ at, requestId }) => [at, requestId]);
  const names = await readNames(platform, items);
  return { fills: items.map((fill) => toFillLine(fill, names)), next, dropped: ledger.lost };
}

/** @throws RequestInvalid with 404 if there is no such order, or another organisation has it */
async function answerOrder(
  platform: PlatformDependencies,
  ledger: OrderLedger,
  requestId: string,
  organisationId: string | undefined,
) {
  const order = await findOrder(ledger, requestId, organisationId);
  if (order === null) throw new RequestInvalid(`there is no order ${formatForError(requestId)}`, 404);
  return toOrderLine(order, await readNames(platform, [order]));
}

function toFilter({ taker, maker, signature }: FillQuery): LedgerFilter {
  return {
    ...(signature === undefined ? {} : { signature }),
    ...(taker === undefined ? {} : { taker }),
    ...(maker === undefined ? {} : { makerId: maker }),
  };
}

/** @throws RequestInvalid for a cursor or times that cannot be */
async function toRange({ now }: PlatformDependencies, query: FillQuery): Promise<LedgerRange> {
  const place = unwrapResult(await toResult(async () => parseCursor<[number, string]>(query, [0, ''])));
  // The range includes what is given out in this millisecond; one row more shows whether there is a next page.
  const isOfSignature = query.signature !== undefined && query.since === undefined;
  const range = resolveTimeRange(isOfSignature ? { ...query, since: 0 } : query, now() + 1, LISTED_DAYS);
  const after = place === null ? null : { at: place[0], requestId: place[1] };
  return { ...range, after, limit: getPageLimit(query) + 1 };
}

function readNames(
  { store }: PlatformDependencies,
  rows: readonly { readonly organisationId: string | null }[],
) {
  const organisations = rows.flatMap(({ organisationId }) => organisationId ?? []);
  return readOwnerNames(store.db, { organisations, teams: [], keys: [] });
}
