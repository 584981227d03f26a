import type { AccountUpdate, AccountView } from '../../accounts.ts';
import {
  splitIntoPieces,
  UNITS_PER_TURN,
  createUnaccountedWork,
  type Work,
} from '../../../common/work/work.ts';
import type { Address } from '../../../solana/address.ts';
import type { ViewRead } from '../worker/protocol.ts';
import type { TokenPiece } from '../worker/token-cursors.ts';
import type { WorkerLink } from './worker-link.ts';

interface PendingViewRead {
  readonly read: ViewRead;
  readonly resolve: (found: readonly AccountUpdate[]) => void;
  readonly reject: (error: unknown) => void;
}

async function* tokenPieces(
  link: Pick<WorkerLink, 'call'>,
  owner: Address,
  slot: bigint,
  work: Work,
): AsyncGenerator<readonly AccountUpdate[]> {
  let cursor: number | null = null;
  try {
    do {
      const turn = work.take(UNITS_PER_TURN);
      if (turn !== null) await turn;
      const piece: TokenPiece = await (cursor === null
        ? link.call('openTokens', owner, slot)
        : link.call('moreTokens', cursor));
      cursor = piece.cursor;
      if (piece.accounts.length > 0) yield piece.accounts;
    } while (cursor !== null);
  } finally {
    // The reader stopped before the end, so the cursor is still open. If this call fails, the network closes it by itself.
    if (cursor !== null) void link.call('closeTokens', cursor).catch(() => undefined);
  }
}

/**
 * Opens a view of the accounts as of one slot, whose state the network keeps for a while. Reads that are requested
 * together share a message to the network's thread, because a message costs more than most reads.
 */
export function openSlotView(link: Pick<WorkerLink, 'call'>, slot: bigint): AccountView {
  let pending: PendingViewRead[] = [];
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
    maxCalls: null,
    maxAccounts: null,
    slots: () => ({ oldest: slot, newest: slot }),
    indexes: () => true,
    getAccounts: async (addresses, work = createUnaccountedWork()) => {
      if (addresses.length <= UNITS_PER_TURN) return ask({ kind: 'accounts', addresses });
      const found: AccountUpdate[] = [];
      for (const piece of splitIntoPieces(addresses)) {
        const turn = work.take(UNITS_PER_TURN);
        if (turn !== null) await turn;
        for (const update of await ask({ kind: 'accounts', addresses: piece })) found.push(update);
      }
      return found;
    },
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
    tokenAccounts: (owner, work) => tokenPieces(link, owner, slot, work),
  };
}
