/**
 * The life of a swap that a maker must sign.
 *
 * offered → submitted → landing → confirmed or failed; or offered → expired (nothing came in time) or rejected
 * (something else came back). The last four are ends: nothing happens to a swap after them.
 */
export type FillState = 'offered' | 'submitted' | 'landing' | 'confirmed' | 'failed' | 'expired' | 'rejected';

export type FillEvent =
  /** The maker returned the message that it was offered, with its signature. */
  | 'signed'
  /** The maker returned another message. */
  | 'tampered'
  /** Ten seconds have passed since the swap was pushed. */
  | 'deadline'
  /** The maker could not be reached. */
  | 'withdrawn'
  /** The swap cannot succeed any more, through no fault of its maker. */
  | 'hopeless'
  /** The process that had offered the swap is gone, and the maker did not sign in what was left of its time. */
  | 'abandoned'
  /** The signed transaction is where a restart finds it. */
  | 'stored'
  /** It could not be put there, or somebody else has given up the swap. */
  | 'unstored'
  /** The chain has it and it succeeded. */
  | 'landed'
  /** The chain has it and it failed, does not take it, or its blockhash ran out. */
  | 'lost'
  /** The chain has it and it failed, because the maker no longer held what it had signed for. */
  | 'broken';

export type FillAction =
  /** Write the signed transaction down. */
  | 'store'
  /** Land the signed transaction. */
  | 'send'
  /** The inventory is free again. */
  | 'release'
  /** The inventory is spent. */
  | 'settle'
  | 'count-filled'
  | 'count-missed'
  | 'count-tampered'
  /** Tell the maker. */
  | 'tell-confirmed'
  | 'tell-failed';

export interface FillStep {
  readonly state: FillState;
  readonly actions: readonly FillAction[];
}

type Steps = Partial<Record<FillEvent, FillStep>>;

const STEPS: Readonly<Record<FillState, Steps>> = {
  offered: {
    signed: { state: 'submitted', actions: ['store'] },
    tampered: { state: 'rejected', actions: ['release', 'count-tampered'] },
    deadline: { state: 'expired', actions: ['release', 'count-missed', 'tell-failed'] },
    withdrawn: { state: 'expired', actions: ['release'] },
    hopeless: { state: 'expired', actions: ['release', 'tell-failed'] },
    abandoned: { state: 'expired', actions: ['release', 'tell-failed'] },
  },
  submitted: {
    stored: { state: 'landing', actions: ['send'] },
    unstored: { state: 'expired', actions: ['release', 'tell-failed'] },
  },
  landing: {
    landed: { state: 'confirmed', actions: ['settle', 'count-filled', 'tell-confirmed'] },
    lost: { state: 'failed', actions: ['release', 'tell-failed'] },
    broken: { state: 'failed', actions: ['release', 'count-missed', 'tell-failed'] },
  },
  confirmed: {},
  failed: {},
  expired: {},
  rejected: {},
};

/** What the event makes of the swap; null when it does not matter in that state. */
export function advanceFill(state: FillState, event: FillEvent): FillStep | null {
  return STEPS[state][event] ?? null;
}
