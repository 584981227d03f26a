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
 *
 * A webhook maker lands its fills itself, whatever it answers, so only the chain decides. Until then it is found out
 * whether the fill counts against the maker if it never lands:
 *
 *     sent ─┬─ possible, impossible, excused ─┬─ made ───────────────── confirmed
 *           │                │                ├─ lost, broken ───────── failed
 *           │                │                ├─ missed, given-up ───── expired
 *           └─ declined, declined-excused ────┴─ made-though-declined ─ confirmed
 */
export type FillState =
  | RecordedState
  | WebhookFillState
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

/**
 * The states that the record of a webhook fill can have. `rejected`: the maker declined it, and may still land it. Existing
 * records have this word. It stands for `declined` below; in the record of a fill over a stream, it is an end. `ended` has
 * an answer.
 */
export type RecordedWebhookState = 'offered' | 'accepted' | 'rejected' | 'unanswered' | 'ended';

/** The states of a webhook fill that is not decided, or whose landing is not recorded yet. */
export type WebhookFillState =
  /** The maker has it, and whether it could make it is not judged yet. It does not count then. */
  | 'sent'
  /** It could be made in its last seconds, so it counts. */
  | 'possible'
  /** It could not be made in its last seconds, and the maker is not to blame. */
  | 'impossible'
  /** It could not be made for a while, or may not have been sent, and the maker is not to blame. */
  | 'excused'
  /** The maker declined it although it could be made, so it counts. */
  | 'declined'
  /** The maker declined it, and is not to blame. */
  | 'declined-excused'
  /** It is on chain and succeeded. */
  | 'made'
  /** It is on chain and succeeded, and the maker had declined it. */
  | 'made-though-declined';

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
  | 'superseded'
  /** The webhook maker could make the fill in its last seconds. */
  | 'possible'
  /** The webhook maker could not make the fill in its last seconds. */
  | 'impossible'
  /** It is known that the webhook maker is not to blame if the fill does not land. */
  | 'excused'
  /** The webhook maker declined the fill although it could make it. */
  | 'declined'
  /** The webhook maker declined the fill, which it could not make. */
  | 'declined-impossible'
  /** The webhook maker landed the fill after it had expired, so that it failed on chain. */
  | 'late'
  /** The webhook fill is on no chain, and can no longer be. */
  | 'denied';

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
  /** Count a fill that was not made, for which its maker is not to blame. Streams have no such statistics. */
  | 'count-excused'
  /** Turn off a maker that declines fills and lands them. */
  | 'count-landed-though-declined'
  /** Notify the maker over its stream. A webhook maker has none: it has landed the fill itself. */
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

/** How a webhook fill goes on: one that counts against its maker unless it lands, and one that does not. */
const COUNTING: Steps = {
  landed: { state: 'made', actions: [] },
  lost: { state: 'lost', actions: [] },
  broken: { state: 'broken', actions: [] },
  late: { state: 'broken', actions: [] },
  denied: { state: 'missed', actions: [] },
};
const EXCUSED: Steps = {
  ...COUNTING,
  late: { state: 'lost', actions: [] },
  denied: { state: 'given-up', actions: [] },
};
const DECLINING: Steps = {
  declined: { state: 'declined', actions: [] },
  'declined-impossible': { state: 'declined-excused', actions: [] },
};
const MADE_THOUGH_DECLINED: Steps = { landed: { state: 'made-though-declined', actions: [] } };

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
    recorded: { state: 'expired', actions: ['count-excused', 'notify-failed'] },
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
    recorded: { state: 'failed', actions: ['count-excused', 'notify-failed'] },
    unrecorded: { state: 'failed', actions: ['notify-failed'] },
    ...SUPERSEDED,
  },
  broken: {
    recorded: { state: 'failed', actions: ['count-missed', 'notify-failed'] },
    unrecorded: { state: 'failed', actions: ['count-missed', 'notify-failed'] },
    ...SUPERSEDED,
  },
  sent: {
    possible: { state: 'possible', actions: [] },
    impossible: { state: 'impossible', actions: [] },
    excused: { state: 'excused', actions: [] },
    ...DECLINING,
    ...EXCUSED,
  },
  possible: { excused: { state: 'excused', actions: [] }, ...DECLINING, ...COUNTING },
  impossible: { excused: { state: 'excused', actions: [] }, ...DECLINING, ...EXCUSED },
  excused: {
    declined: { state: 'declined-excused', actions: [] },
    'declined-impossible': { state: 'declined-excused', actions: [] },
    ...EXCUSED,
  },
  declined: {
    excused: { state: 'declined-excused', actions: [] },
    ...COUNTING,
    ...MADE_THOUGH_DECLINED,
  },
  'declined-excused': { ...EXCUSED, ...MADE_THOUGH_DECLINED },
  made: {
    recorded: { state: 'confirmed', actions: ['count-filled'] },
    ...SUPERSEDED,
  },
  'made-though-declined': {
    recorded: { state: 'confirmed', actions: ['count-filled', 'count-landed-though-declined'] },
    ...SUPERSEDED,
  },
  confirmed: {},
  failed: {},
  expired: LATE_LANDING,
  rejected: LATE_LANDING,
  superseded: {},
};

/**
 * Looks up what an event does to a fill. Pure: `FillMachine` and `WebhookSettlement` carry out the actions.
 * Returns the next state and the actions, in the order in which they are carried out; null if the event does not matter
 * in this state.
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

/** Whether a fill in this state waits for its maker or for the chain. */
export function isPending(state: FillState): boolean {
  return state === 'offered' || state === 'due' || state === 'submitted' || state === 'landing';
}
