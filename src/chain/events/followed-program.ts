import type { HistoryCursor } from '../address-history.ts';
import type { EmittedEvent, EmittingProgram } from './emitted-events.ts';

/** The transaction in which an event was emitted. */
export interface EventMoment {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix second. */
  readonly at: bigint;
}

/** A program that is followed by its events. */
export interface FollowedProgram<Step> extends EmittingProgram {
  /**
   * Where the events are: in calls of the program to itself that its event authority signs, or in the log. A program with events in
   * the log has no event authority, and its own address takes that place. Default: calls.
   */
  readonly eventsIn?: 'calls' | 'log';
  /** A name for the operator. */
  readonly name: string;
  /**
   * Returns what an event changes in the record, or null if it changes nothing.
   *
   * @throws LayoutInvalid when the event cannot be decoded.
   */
  readonly toStep: (event: EmittedEvent, moment: EventMoment) => Step | null;
}

/** Records what events say, with a cursor up to which they are recorded. Several instances may have one record. */
export interface EventRecorder<Step> {
  /** Returns how far events are recorded. Null before the first `begin`. */
  readonly findCursor: () => Promise<HistoryCursor | null>;
  /** Sets the cursor unless there is one already, and returns the one that holds. */
  readonly begin: (cursor: HistoryCursor) => Promise<HistoryCursor>;
  /** Records steps and moves the cursor, or returns false and does nothing if it is not at `from` any more. */
  readonly record: (from: HistoryCursor, to: HistoryCursor, steps: readonly Step[]) => Promise<boolean>;
  /** Removes the cursor if it is at this place, because the network has begun again. */
  readonly forget: (cursor: HistoryCursor) => Promise<void>;
}
