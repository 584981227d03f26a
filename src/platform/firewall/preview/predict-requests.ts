import type { RequestEntry } from '../../traffic/log/request-entry.ts';
import type { CompiledRule } from '../evaluate.ts';
import type { Rule } from '../rule.ts';
import type { Doubt } from './doubt.ts';
import { LoggedRequestJudge, type Judgement } from './judge-request.ts';
import { type LoggedRequest, parseLoggedRequest, toFactsKey } from './logged-request.ts';
import { ReplayedLimits, type RateLimitRule, type ReplayedWindow } from './replay-windows.ts';

/** What rules do with a request: nothing, 403, or 429. */
export const EFFECTS = ['pass', 'deny', 'limit'] as const;
export type RuleEffect = (typeof EFFECTS)[number];

/** What rules would have done with a request of the log. */
export interface PredictedRequest {
  readonly entry: RequestEntry;
  /** The name of the key now; null if it was deleted. */
  readonly keyName: string | null;
  readonly judgement: Judgement;
  /** One: it is certain. */
  readonly effects: ReadonlySet<RuleEffect>;
  /** Why it is not certain. Empty where it is, and where only the count of a rate limit is unknown. */
  readonly doubts: ReadonlySet<Doubt>;
  /** Whether one of the rules that are asked about may match it. */
  readonly isConcerned: boolean;
}

export interface PredictionOptions {
  /** All of them are taken as switched on. */
  readonly rules: readonly Rule[];
  /** The rules that are asked about; null: all. They need not be among those that are taken as switched on. */
  readonly concerning: readonly Rule[] | null;
  /** The newest first. */
  readonly entries: readonly RequestEntry[];
  /** Returns the name of a key now; null if it was deleted. */
  readonly findKeyName: (keyId: string) => string | null;
  /** Creates an empty window of a length in milliseconds, as the gateway counts. */
  readonly createWindow: (windowMs: number) => ReplayedWindow;
  /** Lets other work run, and returns whether there is time for more of this. Called every now and then. */
  readonly pause: () => Promise<boolean>;
}

/** How many values of conditions are compared between two pauses. */
const VALUES_BETWEEN_PAUSES = 50_000;
/** What a request costs beside the values of the rules, counted in values. */
const BASE_COST = 200;
const MICROSECONDS = 1_000;

/**
 * Predicts what rules would have done with requests of the log, in the order in which they arrived: with the evaluation of the
 * gateway, and with its windows over the times of the log. If the time runs out, the oldest requests are left out.
 */
export async function predictRequests({
  rules,
  concerning,
  entries,
  findKeyName,
  createWindow,
  pause,
}: PredictionOptions): Promise<readonly PredictedRequest[]> {
  const judge = new LoggedRequestJudge(rules);
  const concern = concerning === null ? null : new LoggedRequestJudge(concerning);
  const cost =
    BASE_COST + rules.flatMap(({ groups }) => groups.flat()).flatMap(({ values }) => values).length;
  const known = new Map<string, Pick<JudgedRequest, 'judgement' | 'isConcerned'>>();
  const requests: JudgedRequest[] = [];
  let spent = 0;
  for (const entry of entries) {
    const keyName = findKeyName(entry.owner?.keyId ?? '');
    const request = parseLoggedRequest(entry, keyName);
    const facts = toFactsKey(request);
    const seen = known.get(facts);
    const judged = seen ?? { judgement: judge.judge(request), isConcerned: isMatched(concern, request) };
    if (seen === undefined) known.set(facts, judged);
    requests.push({ entry, keyName, ...judged });
    spent += seen === undefined ? cost : BASE_COST;
    if (spent < VALUES_BETWEEN_PAUSES) continue;
    spent = 0;
    if (!(await pause())) break;
  }
  return replay(requests, new ReplayedLimits(createWindow), pause);
}

type JudgedRequest = Pick<PredictedRequest, 'entry' | 'keyName' | 'judgement' | 'isConcerned'>;

/** Whether one of the rules of a judge may match. @param judge - Null: it is about every request. */
function isMatched(judge: LoggedRequestJudge | null, request: LoggedRequest): boolean {
  if (judge === null) return true;
  const { matched, mayMatch } = judge.judge(request);
  return matched.size + mayMatch.size > 0;
}

/** Returns Unix milliseconds at which a request arrived; the log has the time of its answer. */
export function getArrival({ at, gatewayUs, handlerUs, sendUs }: RequestEntry): number {
  return at - Math.round((gatewayUs + handlerUs + sendUs) / MICROSECONDS);
}

async function replay(
  judged: readonly JudgedRequest[],
  limits: ReplayedLimits,
  pause: PredictionOptions['pause'],
): Promise<readonly PredictedRequest[]> {
  const arrived = judged
    .map((request) => ({ ...request, at: getArrival(request.entry) }))
    .reverse()
    .sort((one, other) => one.at - other.at);
  const predicted: PredictedRequest[] = [];
  for (const { at, ...request } of arrived) {
    const { deciders, doubts } = request.judgement;
    const isCertain = deciders.length === 1;
    const effects = new Set(
      deciders.flatMap((rule) => findEffects(rule, request.entry, { at, limits, isCertain })),
    );
    predicted.push({ ...request, effects, doubts: effects.size === 1 ? NO_DOUBTS : doubts });
    // What was judged is replayed to its end, because a window without its last requests would say nothing.
    if (predicted.length % REPLAYED_BETWEEN_PAUSES === 0) await pause();
  }
  return predicted;
}

const REPLAYED_BETWEEN_PAUSES = 500;
const NO_DOUBTS: ReadonlySet<Doubt> = new Set();

function findEffects(
  rule: CompiledRule | null,
  { owner, client, decision }: RequestEntry,
  {
    at,
    limits,
    isCertain,
  }: { readonly at: number; readonly limits: ReplayedLimits; readonly isCertain: boolean },
): readonly RuleEffect[] {
  if (rule === null || rule.action.type === 'log' || rule.action.type === 'bypass') return ['pass'];
  if (rule.action.type === 'deny') return ['deny'];
  const counted = { at, client, keyId: owner?.keyId ?? '', isRefusedByPlan: decision === 'plan-limit' };
  const admitted = limits.hit(rule as RateLimitRule, counted, isCertain);
  if (admitted === null) return ['pass', 'limit'];
  return admitted ? ['pass'] : ['limit'];
}
