import type { InviteEnd, InviteEndKind, RecordedInvite } from '../../invites/invite.ts';
import { InviteRecorder } from '../../invites/store/invite-recorder.ts';
import type { InviteStep } from '../../invites/store/invite-changes.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';

const RECORDED_TOGETHER = 100;

/** Returns an open invite of SOL, whose addresses and signature have its number. */
export function createTestInvite(number: number, changes: Partial<RecordedInvite> = {}): RecordedInvite {
  return {
    invite: `invite ${number}` as Address,
    inviteKey: `key ${number}` as Address,
    sender: 'sender' as Address,
    mint: null,
    amount: 5_000_000n,
    creationSignature: `creation ${number}`,
    createdAt: BigInt(number),
    expiresAt: 1_000_000n,
    end: null,
    ...changes,
  };
}

/** Returns the end of an invite, which `receiver` has claimed unless it ended otherwise. */
export function createTestEnd(number: number, at: bigint, kind: InviteEndKind = 'claimed'): InviteEnd {
  const receiver = kind === 'claimed' ? ('receiver' as Address) : null;
  return { kind, signature: `end ${number}`, at, receiver };
}

/** Records invites as if their events had been read. They get their numbers in this order. */
export async function recordTestInvites(
  store: Store,
  network: string,
  invites: readonly RecordedInvite[],
): Promise<void> {
  const recorder = new InviteRecorder(store, network);
  let cursor = (await recorder.findCursor()) ?? (await recorder.begin({ signature: null, slot: 0n }));
  for (let at = 0; at < invites.length; at += RECORDED_TOGETHER) {
    const steps = invites.slice(at, at + RECORDED_TOGETHER).flatMap(toSteps);
    const to = { signature: `recorded ${cursor.slot + 1n}`, slot: cursor.slot + 1n };
    if (!(await recorder.record(cursor, to, steps))) throw new Error('somebody else records');
    cursor = to;
  }
}

function toSteps(invite: RecordedInvite): readonly InviteStep[] {
  if (invite.end === null || invite.creationSignature === null) return [invite];
  return [
    { ...invite, end: null },
    { ...invite, creationSignature: null, createdAt: null },
  ];
}
