import type { ExactJson } from '../../../../base/exact-json.ts';
import { getItems, getText, getWhole } from '../../../../base/read-json.ts';
import { getIsoTime } from '../../../../base/read-times.ts';
import { SOL_MINT } from '../../../../base/mints.ts';

/** An invite as the page shows it. */
export interface InviteView {
  /** Its account. */
  readonly address: string;
  readonly sender: string | null;
  readonly receiver: string | null;
  readonly mint: string;
  /** In smallest units. */
  readonly amount: bigint | null;
  /** In words. */
  readonly state: string;
  readonly tone: 'plain' | 'accent' | 'good' | 'warning';
  readonly isOpen: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number | null;
  readonly expiresAt: number | null;
  readonly endedAt: number | null;
  readonly creation: string | null;
  readonly end: string | null;
}

/** Reads the answers of `GET /send/v1/pending-invites` and `/invite-history`. What names no invite is left out. */
export function parseInvites(answer: ExactJson): readonly InviteView[] {
  return getItems(answer, 'invites').flatMap((invite) => parseInvite(invite) ?? []);
}

function parseInvite(invite: ExactJson): InviteView | null {
  const address = getText(invite, 'invite_pda');
  if (address === null) return null;
  const action = getText(invite, 'action') ?? 'unknown';
  const end = getText(invite, 'deletion_tx');
  const [state, tone] = STATES.get(action) ?? [action, 'plain'];
  return {
    address,
    sender: getText(invite, 'sender'),
    receiver: getText(invite, 'receiver'),
    mint: getText(invite, 'mint') ?? SOL_MINT,
    amount: getWhole(invite, 'amount'),
    state: action === 'expired' && end !== null ? 'expired and returned' : state,
    tone,
    isOpen: action === 'created',
    createdAt: getIsoTime(invite, 'creation_time'),
    expiresAt: getIsoTime(invite, 'expiry'),
    endedAt: getIsoTime(invite, 'deletion_time'),
    creation: getText(invite, 'creation_tx'),
    end,
  };
}

const STATES: ReadonlyMap<string, readonly [string, InviteView['tone']]> = new Map([
  ['created', ['can be claimed', 'accent']],
  ['claimed', ['claimed', 'good']],
  ['clawback', ['taken back', 'plain']],
  ['expired', ['expired', 'warning']],
]);
