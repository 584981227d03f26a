import type { RequestEntry } from '../../traffic/log/request-entry.ts';
import type { CompiledRule } from '../evaluate.ts';
import { DOUBTS, type Doubt } from './doubt.ts';
import type { PredictedRequest, RuleEffect } from './predict-requests.ts';
import type { FirewallPreview } from './predict-firewall.ts';

/** What would change for a request. `unknown`: the log cannot tell. */
export const PREVIEW_CHANGES = ['stopped', 'let-through', 'unknown', 'still-stopped', 'none'] as const;
export type PreviewChange = (typeof PREVIEW_CHANGES)[number];

/** A request as an example of what would change. */
export interface PreviewSample {
  readonly request: PredictedRequest;
  readonly change: PreviewChange;
  /** Null: the log cannot tell. */
  readonly effect: RuleEffect | null;
  /** The rule that decides; null: none does, or the log cannot tell which. */
  readonly rule: CompiledRule | null;
}

export interface RuleCount {
  readonly id: string;
  matched: number;
  mayMatch: number;
  decided: number;
  mayDecide: number;
  stopped: number;
}

export interface TopCount {
  readonly name: string;
  readonly requests: number;
}

export interface PreviewSummary {
  /** Requests that would be treated so. All together are the requests that were looked at. */
  readonly changes: Readonly<Record<PreviewChange, number>>;
  /** Requests that passed and would be stopped because the draft decides. */
  readonly stoppedByDraft: number;
  /** Further requests that passed and that the draft may stop: the log cannot tell. */
  readonly mayBeStoppedByDraft: number;
  /** Of the requests that passed and would be stopped, those that a rate limit stops. */
  readonly stoppedByLimit: number;
  /** Requests by why the log cannot tell, and those of which only the count of a rate limit is unknown. */
  readonly unknown: readonly { readonly reason: Doubt | 'limit'; readonly requests: number }[];
  /** Ids of the rules with conditions that the log leaves open, where that matters. */
  readonly openRules: ReadonlySet<string>;
  /** In the order of the rules. */
  readonly rules: readonly RuleCount[];
  /** What the requests that passed and would be stopped have in common, with the most first. */
  readonly top: Readonly<Record<'paths' | 'keys' | 'clients', readonly TopCount[]>>;
  /** What changes first, then what is unknown, then what the draft matches; of each the newest first. */
  readonly samples: readonly PreviewSample[];
}

const MAX_SAMPLES = 100;
const MAX_TOP = 5;

/** Adds up what a preview says. Bounded by the number of its requests. */
export function computePreviewSummary({ rules, draftId, requests }: FirewallPreview): PreviewSummary {
  const changes: Record<PreviewChange, number> = {
    stopped: 0,
    'let-through': 0,
    unknown: 0,
    'still-stopped': 0,
    none: 0,
  };
  const counts = new Map<string, RuleCount>(
    rules.map(({ id }) => [id, { id, matched: 0, mayMatch: 0, decided: 0, mayDecide: 0, stopped: 0 }]),
  );
  const unknown = new Map<Doubt | 'limit', number>();
  const samples = new Map<PreviewChange, PreviewSample[]>(PREVIEW_CHANGES.map((change) => [change, []]));
  const stopped: PredictedRequest[] = [];
  const openRules = new Set<string>();
  let [stoppedByDraft, mayBeStoppedByDraft, stoppedByLimit] = [0, 0, 0];
  for (const request of [...requests].reverse()) {
    const sample = toSample(request);
    const { change, rule, effect } = sample;
    const { judgement, doubts } = request;
    changes[change]++;
    countRules(counts, sample);
    if (change === 'unknown') {
      for (const reason of doubts.size === 0 ? (['limit'] as const) : doubts)
        unknown.set(reason, (unknown.get(reason) ?? 0) + 1);
      for (const open of judgement.deciders.slice(1)) if (open !== null) openRules.add(open.id);
      if (mayStop(request, draftId)) mayBeStoppedByDraft++;
    }
    if (change === 'stopped') {
      stopped.push(request);
      if (rule !== null && rule.id === draftId) stoppedByDraft++;
      if (effect === 'limit') stoppedByLimit++;
    }
    const isOfInterest = change !== 'none' || (draftId !== null && judgement.matched.has(draftId));
    if (isOfInterest) samples.get(change)?.push(sample);
  }
  return {
    changes,
    stoppedByDraft,
    mayBeStoppedByDraft,
    stoppedByLimit,
    openRules,
    unknown: [...DOUBTS, 'limit' as const].flatMap((reason) => {
      const count = unknown.get(reason);
      return count === undefined ? [] : [{ reason, requests: count }];
    }),
    rules: [...counts.values()],
    top: {
      paths: countMost(stopped, ({ entry }) => entry.endpoint || entry.path),
      keys: countMost(stopped, ({ entry, keyName }) => keyName ?? entry.owner?.keyId ?? ''),
      clients: countMost(stopped, ({ entry }) => entry.client),
    },
    samples: PREVIEW_CHANGES.flatMap((change) => samples.get(change) ?? []).slice(0, MAX_SAMPLES),
  };
}

function toSample(request: PredictedRequest): PreviewSample {
  const { effects, judgement, entry } = request;
  const [effect, another] = effects;
  const isCertain = effect !== undefined && another === undefined;
  const [rule = null] = judgement.deciders.length === 1 ? judgement.deciders : [];
  return {
    request,
    // What other rules leave open is nothing that the rules in question would change.
    change: isCertain ? toChange(entry, effect) : request.isConcerned ? 'unknown' : 'none',
    effect: isCertain ? effect : null,
    rule,
  };
}

/** Returns what changes against what happened. What the plan or the instance refused has not passed, whatever the rules do. */
function toChange({ decision }: RequestEntry, effect: RuleEffect): PreviewChange {
  const wasStopped = decision === 'firewall-deny' || decision === 'firewall-limit';
  if (effect === 'pass') return wasStopped ? 'let-through' : 'none';
  return decision === 'admitted' ? 'stopped' : 'still-stopped';
}

/** Whether a rule may stop a request that passed. */
function mayStop({ entry, judgement }: PredictedRequest, ruleId: string | null): boolean {
  if (entry.decision !== 'admitted') return false;
  return judgement.deciders.some(
    (rule) =>
      rule !== null &&
      rule.id === ruleId &&
      (rule.action.type === 'deny' || rule.action.type === 'rate-limit'),
  );
}

function countRules(counts: ReadonlyMap<string, RuleCount>, { request, change, rule }: PreviewSample): void {
  for (const id of request.judgement.matched) count(counts.get(id), 'matched');
  for (const id of request.judgement.mayMatch) count(counts.get(id), 'mayMatch');
  const decider = rule === null ? undefined : counts.get(rule.id);
  count(decider, 'decided');
  if (request.judgement.deciders.length > 1)
    for (const one of request.judgement.deciders) count(counts.get(one?.id ?? ''), 'mayDecide');
  if (change === 'stopped') count(decider, 'stopped');
}

function count(counted: RuleCount | undefined, what: Exclude<keyof RuleCount, 'id'>): void {
  if (counted !== undefined) counted[what]++;
}

function countMost(
  requests: readonly PredictedRequest[],
  nameOf: (request: PredictedRequest) => string,
): readonly TopCount[] {
  const counts = new Map<string, number>();
  for (const request of requests) {
    const name = nameOf(request);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, requests]) => ({ name, requests }))
    .sort((one, other) => other.requests - one.requests)
    .slice(0, MAX_TOP);
}
