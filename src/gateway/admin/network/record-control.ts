import { type ChangeDependencies, recordAction } from '../../../platform/audit/audit.ts';
import { waitUnlessUnavailable } from '../../../common/unavailable.ts';
import type { AdminRequest, RunningAdminEndpoint } from '../endpoint/admin-endpoint.ts';

const PREFIX = '/admin/v1/network';
/** The subject of what concerns the whole network. It has a space, so no organisation has the same slug. */
const NETWORK_SUBJECT = 'the network';
const MAX_ADDRESSES = 10;

/** The action of each control in the audit log. Null: it has no entry by this. */
const ACTIONS: Readonly<Record<string, string | null>> = {
  // A gift changes nothing but a balance, and tests ask for thousands; the chain has the transaction of each.
  'POST /faucet': null,
  // It writes an entry of its own, with the signature.
  'POST /wallets/:name/sign': null,
  'POST /clock': 'network.clock_moved',
  'POST /accounts': 'network.accounts_written',
  'POST /reset': 'network.reset',
  'POST /snapshots': 'network.snapshot_saved',
  'POST /snapshots/:name/restore': 'network.snapshot_restored',
  'PUT /snapshots/:name/content': 'network.snapshot_imported',
  'DELETE /snapshots/:name': 'network.snapshot_deleted',
  'PUT /faults': 'network.faults_set',
  'POST /faults/next': 'network.next_fault_added',
  'DELETE /faults/next': 'network.next_faults_cleared',
  'POST /faults/rpc': 'network.call_fault_added',
  'DELETE /faults/rpc': 'network.call_faults_cleared',
  'POST /faults/requests': 'network.request_fault_added',
  'DELETE /faults/requests': 'network.request_faults_cleared',
  'PUT /prices/:symbol': 'network.price_set',
  'PUT /prices/:symbol/walk': 'network.price_walk_begun',
  'DELETE /prices/:symbol/walk': 'network.price_walk_stopped',
  'PUT /price-follower': 'network.price_follower_set',
  'POST /makers/:maker/check': 'network.maker_check_begun',
};

/**
 * Returns a control of the network that writes an entry of the audit log each time it succeeds. What it did cannot be undone,
 * so it is answered although the database is away and has no entry then.
 *
 * @throws Error when a control that changes something has no action yet
 */
export function recordControl(
  platform: Pick<ChangeDependencies, 'store' | 'now'>,
  running: RunningAdminEndpoint,
): RunningAdminEndpoint {
  const { method, path } = running.endpoint;
  if (method === 'GET') return running;
  const action = ACTIONS[`${method} ${path.slice(PREFIX.length)}`];
  if (action === undefined) throw new Error(`the control ${method} ${path} has no action of the audit log`);
  if (action === null) return running;
  return {
    ...running,
    handle: async (request) => {
      const answer = await running.handle(request);
      const entry = {
        action,
        subject: findSubject(request),
        before: null,
        after: describeBody(request.body),
      };
      await waitUnlessUnavailable(recordAction(platform, request.actor, entry));
      return answer;
    },
  };
}

function findSubject({ params, body }: AdminRequest): string {
  const named = { ...(body as object | null), ...(params as object | null) };
  const { name, symbol, maker } = named as Partial<Record<'name' | 'symbol' | 'maker', string>>;
  return name ?? symbol ?? maker ?? NETWORK_SUBJECT;
}

/** Leaves out what may be long: the contents of accounts and of snapshots. */
function describeBody(body: unknown): object | null {
  if (typeof body !== 'object' || body === null) return null;
  const { accounts, content, ...rest } = body as {
    readonly accounts?: readonly { readonly address: string }[];
    readonly content?: string;
  };
  if (accounts !== undefined) {
    const addresses = accounts.slice(0, MAX_ADDRESSES).map(({ address }) => address);
    return { accounts: accounts.length, addresses };
  }
  return content === undefined ? rest : { base64Characters: content.length };
}
