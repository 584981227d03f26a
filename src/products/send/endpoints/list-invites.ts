import type { Work } from '../../../common/work/work.ts';
import type { InviteQuery } from '../../../invites/invite.ts';
import type { Address } from '../../../solana/address.ts';
import { defineEndpoint, type EndpointRequest } from '../../endpoint.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { address, integer } from '../../parameters/kinds.ts';
import { defineQuery, optional } from '../../parameters/parameter.ts';
import { InvitesJson, toInvitesJson } from './invite-json.ts';
import { addSendErrors, answerSendRefusals, SEND_ERROR_FORM } from './send-errors.ts';
import type { SendServices } from './services.ts';

const PER_PAGE = 20;
/** Nobody has so many invites, and a page number beyond that is a mistake. */
const MAX_PAGE = 1_000_000;

const PAGE = {
  page: optional(integer({ minimum: 1, maximum: MAX_PAGE }, 'From 1. A page has 20 invites.'), 1),
};
const PAGE_QUERY = defineQuery(PAGE);
const WALLET = { address: address('The wallet whose invites are listed.') };
const WALLET_PATH = defineQuery(WALLET);
const WALLET_QUERY = defineQuery({ ...WALLET, ...PAGE });

interface ListedInvites {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly list: (services: SendServices, query: InviteQuery, work: Work) => Promise<InvitesJson>;
}

const PENDING: ListedInvites = {
  path: '/send/v1/pending-invites',
  operationId: 'GetPendingInvites',
  summary: 'Invites that can be claimed',
  description:
    'Lists the invites of a sender that nobody has claimed or taken back, and that have not expired.',
  list: async ({ lists }, query, work) => toInvitesJson(await lists.listPending(query, work), 'created'),
};

const HISTORY: ListedInvites = {
  path: '/send/v1/invite-history',
  operationId: 'GetInviteHistory',
  summary: 'Invites that have ended',
  description:
    'Lists the invites that a wallet has sent or claimed and that have ended: claimed, taken back or expired. One that has expired ' +
    'is listed before it is returned to its sender.',
  list: async ({ lists }, query, work) => toInvitesJson(await lists.listHistory(query, work), 'expired'),
};

export const pendingInvites = defineList(PENDING);
export const pendingInvitesOf = defineListByPath(PENDING);
export const inviteHistory = defineList(HISTORY);
export const inviteHistoryOf = defineListByPath(HISTORY);

/** The wallet is in the query. */
function defineList(listed: ListedInvites) {
  return defineEndpoint({
    method: 'GET',
    path: listed.path,
    operationId: listed.operationId,
    example: { query: { address: EXAMPLE_WALLET } },
    summary: listed.summary,
    description: listed.description,
    query: WALLET_QUERY.schema,
    responses: addSendErrors(InvitesJson),
    ...SEND_ERROR_FORM,
    handle: (services: SendServices, request) =>
      answerList(services, listed, request, () => {
        const read = WALLET_QUERY.reader(request.query);
        return [read('address'), read('page')];
      }),
  });
}

/** The wallet is in the path, as in an older form of the interface. */
function defineListByPath(listed: ListedInvites) {
  return defineEndpoint({
    method: 'GET',
    path: `${listed.path}/:address`,
    operationId: `${listed.operationId}OfWallet`,
    example: { params: { address: EXAMPLE_WALLET } },
    summary: `${listed.summary}, by path`,
    description: listed.description,
    params: WALLET_PATH.schema,
    query: PAGE_QUERY.schema,
    responses: addSendErrors(InvitesJson),
    ...SEND_ERROR_FORM,
    handle: (services: SendServices, request) =>
      answerList(services, listed, request, () => [
        WALLET_PATH.reader(request.params)('address'),
        PAGE_QUERY.reader(request.query)('page'),
      ]),
  });
}

function answerList(
  services: SendServices,
  { list }: ListedInvites,
  { work }: Pick<EndpointRequest, 'work'>,
  read: () => readonly [Address, number],
) {
  return answerSendRefusals(async () => {
    const [wallet, page] = read();
    await services.transactions.requireProgram();
    return list(services, { wallet, page, perPage: PER_PAGE }, work);
  });
}
