/**
 * The life of a fill, from the offer to the maker until its end, in one table:
 *
 *     offered ─ submitted ─ landing ─ confirmed
 *        │          │          └───── lost, broken ─ failed
 *        └── due ───┴─ missed, withdrawn, given-up ─ expired
 *        └──────────── tampered ─────────────────── rejected
 *
 * In the middle states of the last three lines the fill is over for this process, but its end is not recorded yet. A
 * maker that has the transaction can submit it itself until its blockhash expires, so a refused fill can still be
 * confirmed.
 */
export type FillState =
  | RecordedState
  /** The deadline has passed, and the service is finding out whether the fill could have succeeded. */
  | 'due'
  /** The maker has signed, and its signature is being recorded. */
  | 'submitted'
  /** The maker did not sign a fill that could have succeeded. */
  | 'missed'
  /** The maker could not be reached. */
  | 'withdrawn'
  /** The fill was given up, and the maker is not to blame. */
  | 'given-up'
  /** The maker returned another message. */
  | 'tampered'
  /** The transaction failed or can no longer land. */
  | 'lost'
  /** The transaction failed because the maker no longer had the tokens that it had signed for. */
  | 'broken'
  /** Another process has recorded how the fill continues. The record decides. */
  | 'superseded';

/** The states that a record can have. `offered` and `landing` are open, the others are ends. */
export type RecordedState = 'offered' | 'landing' | 'confirmed' | 'failed' | 'expired' | 'rejected';

export type FillEvent =
  /** The maker returned the message that it was offered, with its signature. */
  | 'signed'
  /** The maker returned another message. */
  | 'tampered'
  /** Ten seconds have passed since the offer. */
  | 'deadline'
  /** At the deadline the fill would have succeeded with the maker's signature. */
  | 'missed'
  /** The maker has no stream. */
  | 'withdrawn'
  /** The fill can no longer succeed, and the maker is not to blame. */
  | 'hopeless'
  /** The process that offered the fill has ended, and the maker did not sign in the remaining time. */
  | 'abandoned'
  /** A fill that was refused, but whose end is not recorded, is offered again for the remaining time. */
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
  /** The transaction is on chain and failed because the maker no longer had the tokens that it had signed for. */
  | 'broken'
  /** The end is recorded as this process found it. */
  | 'recorded'
  /** The end cannot be recorded now. */
  | 'unrecorded'
  /** The record did not take the end, because another process has already changed it. */
  | 'superseded';

export type FillAction =
  /** Find out whether the fill could have succeeded. */
  | 'judge'
  /** Record the signed transaction. */
  | 'store'
  /** Return the signed transaction to the caller of last look, which submits it. */
  | 'submit'
  /** Return the reason why there is no signature to the caller of last look. */
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
  | 'notify-confirmed'
  | 'notify-failed';

export interface FillStep {
  readonly state: FillState;
  readonly actions: readonly FillAction[];
}

type Steps = Partial<Record<FillEvent, FillStep>>;

/** The reservation ended when the fill was refused. A late landing does not change the maker's score. */
const LATE_LANDING: Steps = {
  landed: { state: 'confirmed', actions: ['notify-confirmed'] },
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
    landed: { state: 'confirmed', actions: ['settle', 'count-filled', 'notify-confirmed'] },
    lost: { state: 'lost', actions: ['release'] },
    broken: { state: 'broken', actions: ['release'] },
  },
  // Until the end is recorded, another process may get the maker's signature and confirm the fill.
  missed: {
    recorded: { state: 'expired', actions: ['count-missed', 'notify-failed'] },
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
    recorded: { state: 'expired', actions: ['notify-failed'] },
    ...SUPERSEDED,
    ...OFFERED_AGAIN,
    ...LATE_LANDING,
  },
  tampered: {
    recorded: { state: 'rejected', actions: [] },
    ...SUPERSEDED,
    ...LATE_LANDING,
  },
  // The chain has decided, so the maker is notified even if the end cannot be recorded.
  lost: {
    recorded: { state: 'failed', actions: ['notify-failed'] },
    unrecorded: { state: 'failed', actions: ['notify-failed'] },
    ...SUPERSEDED,
  },
  broken: {
    recorded: { state: 'failed', actions: ['count-missed', 'notify-failed'] },
    unrecorded: { state: 'failed', actions: ['count-missed', 'notify-failed'] },
    ...SUPERSEDED,
  },
  confirmed: {},
  failed: {},
  expired: LATE_LANDING,
  rejected: LATE_LANDING,
  superseded: {},
};

/**
 * Looks up what an event does to a fill. Pure: `FillMachine` carries out the actions.
 * @returns the next state and the actions, in the order in which they are carried out; null if the event does not matter
 *   in this state
 *
 * @example
 * ```ts
 * import { advanceFill } from './fill-state.ts';
 *
 * advanceFill('offered', 'signed'); // { state: 'submitted', actions: ['store'] }
 * advanceFill('confirmed', 'deadline'); // null
 * ```
 */
export function advanceFill(state: FillState, event: FillEvent): FillStep | null {
  return STEPS[state][event] ?? null;
}

/** @returns whether a fill in this state waits for its maker or for the chain */
export function isPending(state: FillState): boolean {
  return state === 'offered' || state === 'due' || state === 'submitted' || state === 'landing';
}
