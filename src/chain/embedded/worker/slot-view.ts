import type { AccountUpdate, AccountView } from '../../accounts.ts';
import type { ViewRead } from './protocol.ts';
import type { WorkerLink } from './worker-link.ts';

interface PendingRead {
  readonly read: ViewRead;
  readonly resolve: (found: readonly AccountUpdate[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens a view of the accounts as of one slot, whose state the network keeps for a while. Reads that are requested
 * together share a message to the network's thread, because a message costs more than most reads.
 */
export function slotView(link: Pick<WorkerLink, 'call'>, slot: bigint): AccountView {
  let pending: PendingRead[] = [];
  const send = async () => {
    const sent = pending;
    pending = [];
    try {
      const found = await link.call(
        'read',
        sent.map(({ read }) => read),
        slot,
      );
      for (const [index, { resolve }] of sent.entries()) resolve(found[index] ?? []);
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  };
  const ask = (read: ViewRead) =>
    new Promise<readonly AccountUpdate[]>((resolve, reject) => {
      if (pending.push({ read, resolve, reject }) === 1) queueMicrotask(() => void send());
    });
  return {
    maxAccounts: null,
    slots: () => ({ oldest: slot, newest: slot }),
    indexes: () => true,
    getAccounts: (addresses) => ask({ kind: 'accounts', addresses }),
    getProgramAccounts: (program, filter = {}) => ask({ kind: 'program', program, filter }),
    findAccounts: (program, field, addresses) => ask({ kind: 'field', program, field, addresses }),
    getAssociatedAccounts: async (owners, tokens, work) => {
      const found: (readonly (AccountUpdate | null)[])[] = [];
      for (const owner of owners) {
        const turn = work.take(Math.max(1, tokens.length));
        if (turn !== null) await turn;
        found.push(await link.call('associatedAccounts', owner, tokens, slot));
      }
      return found;
    },
    getTokenAccounts: (owner) => ask({ kind: 'tokens', owner }),
  };
}
