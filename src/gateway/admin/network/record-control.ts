import { type ChangeDependencies, recordAction } from '../../../platform/audit/audit.ts';
import { waitUnlessUnavailable } from '../../../common/unavailable.ts';
import type { AdminRequest, RunningAdminEndpoint } from '../endpoint/admin-endpoint.ts';

/** The subject of what concerns the whole network. It has a space, so no organisation has the same slug. */
const NETWORK_SUBJECT = 'the network';
const MAX_ADDRESSES = 10;

/**
 * Returns a control of the network that writes an entry of the audit log each time it succeeds. What it did cannot be undone,
 * so it is answered although the database is away and has no entry then.
 *
 * @throws Error when a control that changes something says nothing of its action
 */
export function recordControl(
  platform: Pick<ChangeDependencies, 'store' | 'now'>,
  running: RunningAdminEndpoint,
): RunningAdminEndpoint {
  const { method, path, audited: action } = running.endpoint;
  if (method === 'GET' || action === null) return running;
  if (action === undefined) throw new Error(`the control ${method} ${path} has no action of the audit log`);
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
