import { randomInt } from 'node:crypto';
import { type Refusal, Refused, type Result, toResult } from '../../common/refusal.ts';
import type { MakeChange } from '../../store/audited-change.ts';
import type { PredictionEvent, PredictionMarket, PredictionResult } from '../prediction.ts';
import type { EventRecords, MarketDecision, TakenId } from '../store/event-records.ts';
import { buildPredictionEvent } from './build-event.ts';
import type { EventDirectory } from './event-directory.ts';
import { findEventFault, type NewPredictionEvent } from './event-terms.ts';
import { type PostedScore, updateScore } from './update-score.ts';

/** What the keeper says about markets. */
export type MarketOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** What the keeper does for an administrator. */
export interface MarketOperations {
  /** Checks that the vault covers what the house can lose on new markets. */
  readonly open: (markets: readonly PredictionMarket[]) => Promise<MarketOutcome>;
  /** Has new markets traded that are among the events. Resolves when they are, or after a while. */
  readonly begin: (markets: readonly PredictionMarket[]) => Promise<void>;
  /** Halts a market, and posts its result as soon as nothing is on its way. It may be called again. */
  readonly resolve: (marketId: string, result: PredictionResult) => Promise<MarketOutcome>;
  /** Halts a market, and gives back the stakes. It may be called again. */
  readonly cancel: (marketId: string) => Promise<MarketOutcome>;
}

/**
 * Creates and decides events. Each function makes one change in the name of a caller. It refuses with `invalid-value`,
 * `not-found`, `already-exists`, `limit-reached` if the vault does not cover a new market, or `not-permitted` if a market was
 * decided before. A decision is written first, and the keeper carries it out then, or later if it cannot.
 */
export interface PredictionAdmin {
  readonly createEvent: (change: MakeChange, asked: NewPredictionEvent) => Promise<Result<PredictionEvent>>;
  readonly resolveMarket: (
    change: MakeChange,
    marketId: string,
    result: PredictionResult,
  ) => Promise<Result<PredictionEvent>>;
  readonly cancelMarket: (change: MakeChange, marketId: string) => Promise<Result<PredictionEvent>>;
  /** Cancels all markets of an event that are not decided yet. */
  readonly cancelEvent: (change: MakeChange, eventId: string) => Promise<Result<PredictionEvent>>;
  /** Says how the game of an event stands. What is not said stays as it was. */
  readonly postScore: (
    change: MakeChange,
    eventId: string,
    posted: PostedScore,
  ) => Promise<Result<PredictionEvent>>;
}

export interface PredictionAdminOptions {
  readonly records: Pick<EventRecords, 'insert' | 'decide' | 'postScore'>;
  readonly directory: Pick<EventDirectory, 'findEvent' | 'findMarket' | 'put'>;
  /** The genesis hash. */
  readonly network: string;
  /** Returns the Unix second of the network. */
  readonly now: () => bigint;
  /** The keeper in this process; null if another process has it, which then reads decisions from the database. */
  readonly operations: MarketOperations | null;
  /** Called when the keeper has not carried out a decision yet, with the reason. */
  readonly onDelay: (marketId: string, reason: unknown) => void;
  /** Draws the numbers of ids, for tests. */
  readonly drawNumber?: (() => number) | undefined;
}

/** Drawn ids have up to ten digits, so that two are hardly ever the same. If they are, the creation is refused. */
const MAX_ID_NUMBER = 10_000_000_000;

const ACTIONS = {
  created: 'prediction_event.created',
  resolved: 'prediction_market.resolved',
  marketCancelled: 'prediction_market.cancelled',
  eventCancelled: 'prediction_event.cancelled',
  scored: 'prediction_event.scored',
} as const;

/** Creates the functions by which an administrator writes events. */
export function createPredictionAdmin(options: PredictionAdminOptions): PredictionAdmin {
  const { directory } = options;
  return {
    createEvent: (change, asked) => toResult(() => createEvent(change, asked, options)),
    resolveMarket: (change, marketId, result) =>
      toResult(() => {
        const { eventId } = requireMarket(directory, marketId);
        const action = { change, action: ACTIONS.resolved, subject: marketId };
        return decide(action, { eventId, marketIds: [marketId], decision: result }, options);
      }),
    cancelMarket: (change, marketId) =>
      toResult(() => {
        const { eventId } = requireMarket(directory, marketId);
        const action = { change, action: ACTIONS.marketCancelled, subject: marketId };
        return decide(action, { eventId, marketIds: [marketId], decision: 'cancelled' }, options);
      }),
    cancelEvent: (change, eventId) =>
      toResult(() => {
        const event = directory.findEvent(eventId);
        if (event === null) throw new Refused('not-found', `there is no event ${eventId}`);
        const open = event.markets.filter(({ status }) => status === 'open').map(({ marketId }) => marketId);
        if (open.length === 0) {
          throw new Refused('not-permitted', `all markets of event ${eventId} are resolved or cancelled`);
        }
        const action = { change, action: ACTIONS.eventCancelled, subject: eventId };
        return decide(action, { eventId, marketIds: open, decision: 'cancelled' }, options);
      }),
    postScore: (change, eventId, posted) => toResult(() => postScore(change, { eventId, posted }, options)),
  };
}

async function createEvent(
  change: MakeChange,
  asked: NewPredictionEvent,
  { records, directory, network, now, operations, drawNumber = drawIdNumber }: PredictionAdminOptions,
): Promise<PredictionEvent> {
  const second = Number(now());
  const fault = findEventFault(asked, second);
  if (fault !== null) throw new Refused('invalid-value', fault);
  const event = buildPredictionEvent(asked, { now: second, network, drawNumber });
  requireFree(event, directory);
  const opened = operations === null ? OK : await operations.open(event.markets);
  if (!opened.ok) throw new Refused('limit-reached', opened.reason);
  await change(async (db) => {
    const taken = await records.insert(db, event);
    if (taken !== null) throw toRefused(refuseTaken(taken));
    return {
      result: null,
      action: ACTIONS.created,
      subject: event.eventId,
      before: null,
      after: toEntry(event),
    };
  });
  directory.put(event);
  await operations?.begin(event.markets);
  return event;
}

const OK: MarketOutcome = { ok: true };

function drawIdNumber(): number {
  return randomInt(MAX_ID_NUMBER);
}

interface NamedAdminChange {
  readonly change: MakeChange;
  readonly action: string;
  /** The id of the event or the market. */
  readonly subject: string;
}

interface EventDecision {
  readonly eventId: string;
  readonly marketIds: readonly string[];
  readonly decision: MarketDecision;
}

async function decide(
  { change, action, subject }: NamedAdminChange,
  { eventId, marketIds, decision }: EventDecision,
  { records, directory, now, operations, onDelay }: PredictionAdminOptions,
): Promise<PredictionEvent> {
  const event = await change(async (db) => {
    const decided = await records.decide(db, eventId, { marketIds, decision, at: Number(now()) });
    if (decided === null) throw new Refused('not-found', `there is no event ${eventId}`);
    const { before, after } = decided;
    const known = before.markets.find(
      (market) => marketIds.includes(market.marketId) && market.status !== 'open',
    );
    if (known !== undefined) throw toRefused(refuseDecided(known));
    return { result: after, action, subject, before: toEntry(before), after: toEntry(after) };
  });
  directory.put(event);
  for (const marketId of marketIds) {
    // The decision holds, whatever the keeper says of it now.
    try {
      const done = await carryOut(marketId, decision, operations);
      if (!done.ok) onDelay(marketId, done.reason);
    } catch (error) {
      onDelay(marketId, error);
    }
  }
  return event;
}

async function postScore(
  change: MakeChange,
  { eventId, posted }: { readonly eventId: string; readonly posted: PostedScore },
  { records, directory, now }: PredictionAdminOptions,
): Promise<PredictionEvent> {
  const event = await change(async (db) => {
    const at = Number(now());
    const changed = await records.postScore(db, eventId, (before) =>
      updateScore(before, posted, { eventId, at }),
    );
    if (changed === null) throw new Refused('not-found', `there is no event ${eventId}`);
    const { before, after } = changed;
    return {
      result: after,
      action: ACTIONS.scored,
      subject: eventId,
      before: before.score,
      after: after.score,
    };
  });
  directory.put(event);
  return event;
}

async function carryOut(
  marketId: string,
  decision: MarketDecision,
  operations: MarketOperations | null,
): Promise<MarketOutcome> {
  if (operations === null) return OK;
  return decision === 'cancelled' ? operations.cancel(marketId) : operations.resolve(marketId, decision);
}

/** What the audit log has of an event. */
function toEntry({ eventId, title, category, closeAt, markets }: PredictionEvent): object {
  const described = markets.map(({ marketId, title: marketTitle, status, result }) => ({
    marketId,
    title: marketTitle,
    status,
    result,
  }));
  return { eventId, title, category, closeAt, markets: described };
}

function requireMarket(directory: PredictionAdminOptions['directory'], marketId: string): PredictionMarket {
  const market = directory.findMarket(marketId);
  if (market === null) throw new Refused('not-found', `there is no market ${marketId}`);
  return market;
}

function requireFree(
  { eventId, markets }: PredictionEvent,
  directory: PredictionAdminOptions['directory'],
): void {
  if (directory.findEvent(eventId) !== null) throw toRefused(refuseTaken({ eventId }));
  const taken = markets.find(({ marketId }) => directory.findMarket(marketId) !== null);
  if (taken !== undefined) throw toRefused(refuseTaken(taken));
}

function refuseDecided({ marketId, status, result }: PredictionMarket): Refusal {
  const state = status === 'cancelled' ? 'cancelled' : `resolved as ${result}`;
  return { code: 'not-permitted', message: `market ${marketId} is ${state} already` };
}

function refuseTaken(taken: TakenId): Refusal {
  const name = 'marketId' in taken ? `market ${taken.marketId}` : `event ${taken.eventId}`;
  return { code: 'already-exists', message: `${name} exists already` };
}

function toRefused({ code, message }: Refusal): Refused {
  return new Refused(code, message);
}
