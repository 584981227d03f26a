/**
 * The life of a fill, from the offer to the maker until its end, in one table:
 *
 *     offered ─ submitted ─ landing ─ confirmed
 *        │          │          └───── lost, broken ─ failed
 *        └── due ───┴─ missed, withdrawn, given-up ─ expired
 *        └──────────── tampered ─────────────────── rejected
 *
 * In the states in the middle of the last three lines the fill is over for this process, but its end is not recorded
 * yet. A maker that has the transaction may submit it by itself until its blockhash runs out, so that also a fill that
 * was refused can still be confirmed.
 */
export type FillState =
  | RecordedState
  /** The maker's time is over, and it is being found out whether the fill could have succeeded. */
  | 'due'
  /** The maker has signed, and its signature is being recorded. */
  | 'submitted'
  /** The maker did not sign a fill that could have succeeded. */
  | 'missed'
  /** The maker could not be reached. */
  | 'withdrawn'
  /** The fill was given up for a reason that is not the maker's. */
  | 'given-up'
  /** The maker returned another message. */
  | 'tampered'
  /** The transaction failed or can no longer land. */
  | 'lost'
  /** The transaction failed because the maker no longer held what it had signed for. */
  | 'broken'
  /** Another process has recorded how the fill goes on: the record decides. */
  | 'superseded';

/** The states that a record can have. The first two are open; the others are ends. */
export type RecordedState = 'offered' | 'landing' | 'confirmed' | 'failed' | 'expired' | 'rejected';

export type FillEvent =
  /** The maker returned the message that it was offered, with its signature. */
  | 'signed'
  /** The maker returned another message. */
  | 'tampered'
  /** Ten seconds have passed since the offer. */
  | 'deadline'
  /** The fill would have succeeded with the maker's signature when its time was over. */
  | 'missed'
  /** The maker has no stream. */
  | 'withdrawn'
  /** The fill cannot succeed any more, through no fault of its maker. */
  | 'hopeless'
  /** The process that had offered the fill is gone, and the maker did not sign in what was left of its time. */
  | 'abandoned'
  /** A fill that was refused, without its end being recorded, is offered again for what is left of its time. */
  | 'resumed'
  /** The signed transaction is recorded. */
  | 'stored'
  /** The signed transaction could not be recorded, or another process has given up the fill. */
  | 'unstored'
  /** The transaction is on chain although no signature of the maker is recorded. */
  | 'found'
  /** The transaction is on chain and succeeded. */
  | 'landed'
  /** The transaction is on chain and failed, or it can no longer land. */
  | 'lost'
  /** The transaction is on chain and failed, because the maker no longer held what it had signed for. */
  | 'broken'
  /** The end is recorded as this process found it. */
  | 'recorded'
  /** The end cannot be recorded now. */
  | 'unrecorded'
  /** The record does not take the end: another process knows more. */
  | 'superseded';

export type FillAction =
  /** Find out whether the fill could have succeeded. */
  | 'judge'
  /** Record the signed transaction. */
  | 'store'
  /** Hand the signed transaction to whoever waits for it, to be submitted. */
  | 'submit'
  /** Tell whoever waits for the signature why there is none. */
  | 'refuse'
  /** Reserve the inventory again. */
  | 'hold'
  /** Return the inventory. */
  | 'release'
  /** Count the inventory as spent. */
  | 'settle'
  | 'count-filled'
  | 'count-missed'
  | 'count-tampered'
  /** Notify the maker. */
  | 'tell-confirmed'
  | 'tell-failed';

export interface FillStep {
  readonly state: FillState;
  readonly actions: readonly FillAction[];
}

type Steps = Partial<Record<FillEvent, FillStep>>;

/** The inventory was returned when the fill was refused, and the maker is not counted for what it was not asked to do. */
const LATE_LANDING: Steps = {
  landed: { state: 'confirmed', actions: ['tell-confirmed'] },
  lost: { state: 'failed', actions: [] },
};
const OFFERED_AGAIN: Steps = { resumed: { state: 'offered', actions: ['hold'] } };
const SUPERSEDED: Steps = { superseded: { state: 'superseded', actions: [] } };
const GIVEN_UP: FillStep = { state: 'given-up', actions: ['release', 'refuse'] };

const STEPS: Readonly<Record<FillState, Steps>> = {
  offered: {
    signed: { state: 'submitted', actions: ['store'] },
    tampered: { state: 'tampered', actions: ['release', 'count-tampered', 'refuse'] },
    deadline: { state: 'due', actions: ['judge'] },
    withdrawn: { state: 'withdrawn', actions: ['release', 'refuse'] },
    hopeless: GIVEN_UP,
    abandoned: GIVEN_UP,
    found: { state: 'landing', actions: [] },
  },
  due: {
    missed: { state: 'missed', actions: ['release', 'refuse'] },
    hopeless: GIVEN_UP,
  },
  submitted: {
    stored: { state: 'landing', actions: ['submit'] },
    unstored: GIVEN_UP,
  },
  landing: {
    landed: { state: 'confirmed', actions: ['settle', 'count-filled', 'tell-confirmed'] },
    lost: { state: 'lost', actions: ['release'] },
    broken: { state: 'broken', actions: ['release'] },
  },
  // Until the end is recorded another process may have had the maker sign, and may have confirmed the fill.
  missed: {
    recorded: { state: 'expired', actions: ['count-missed', 'tell-failed'] },
    ...SUPERSEDED,
    ...LATE_LANDING,
  },
  withdrawn: {
    recorded: { state: 'expired', actions: [] },
    ...SUPERSEDED,
    ...OFFERED_AGAIN,
    ...LATE_LANDING,
  },
  'given-up': {
    recorded: { state: 'expired', actions: ['tell-failed'] },
    ...SUPERSEDED,
    ...OFFERED_AGAIN,
    ...LATE_LANDING,
  },
  tampered: {
    recorded: { state: 'rejected', actions: [] },
    ...SUPERSEDED,
    ...LATE_LANDING,
  },
  // The chain has decided, so that the maker is told also when the end cannot be recorded.
  lost: {
    recorded: { state: 'failed', actions: ['tell-failed'] },
    unrecorded: { state: 'failed', actions: ['tell-failed'] },
    ...SUPERSEDED,
  },
  broken: {
    recorded: { state: 'failed', actions: ['count-missed', 'tell-failed'] },
    unrecorded: { state: 'failed', actions: ['count-missed', 'tell-failed'] },
    ...SUPERSEDED,
  },
  confirmed: {},
  failed: {},
  expired: LATE_LANDING,
  rejected: LATE_LANDING,
  superseded: {},
};

/**
 * @returns the state that follows and what is to be done, in this order; null when the event does not matter in that
 *   state
 */
export function advanceFill(state: FillState, event: FillEvent): FillStep | null {
  return STEPS[state][event] ?? null;
}
