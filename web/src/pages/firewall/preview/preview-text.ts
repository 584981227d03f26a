import { formatCounted } from '../../../base/count-words.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import type { RulePreview } from '../source/firewall-shapes.ts';
import type { ActionKind } from '../source/rule-draft.ts';

/** Something that a reader should know before the rule is switched on. */
export interface PreviewWarning {
  readonly tone: 'danger' | 'warning' | 'info';
  readonly text: string;
}

/** What rules look at and the log does not have, by the reasons that the server names. */
const REASONS: Readonly<Record<string, string>> = {
  header: 'a header that the log does not keep, or not as a whole',
  key: 'the name of a key that was deleted since',
  ip: 'single addresses, and the log keeps the /64 network of an IPv6 address',
  path: 'a part of the path that is masked in the log, or outside ASCII',
};

/** Says how many: `1 request`, `1 247 requests`. */
export function formatRequests(count: number): string {
  return formatCounted(count, 'request');
}

/** The rule that is tried among those of a preview; null without one. */
export function findTriedRule({ rules }: RulePreview): RulePreview['rules'][number] | null {
  return rules.find(({ isTried }) => isTried) ?? null;
}

/** Says in a sentence what the rule would have done. */
export function describePreview(preview: RulePreview, action: ActionKind): string {
  const { considered, stopped, letThrough } = preview;
  const tried = findTriedRule(preview);
  if (considered === 0) return 'There are no requests of this time to try the rule with.';
  const matched = formatRequests(tried?.matched ?? 0);
  switch (action) {
    case 'log':
      return `It would have recorded ${matched} of ${formatWhole(considered)}, and changed nothing.`;
    case 'bypass':
      return `It matches ${matched} of ${formatWhole(considered)}, and would have let ${formatWhole(letThrough)} through that the firewall stopped.`;
    default:
      return `Of ${formatRequests(considered)}, it would have stopped ${formatSpan(stopped.byRule, stopped.mayBeByRule)} that passed.`;
  }
}

/** Says how many, from what is certain to what is possible: `3`, or `3 to 12`. */
export function formatSpan(certain: number, further: number): string {
  const least = formatWhole(certain);
  return further === 0 ? least : `${least} to ${formatWhole(certain + further)}`;
}

/** Names the requests that the rules of a team were tried with: not all of the time that was asked for, where there are more. */
export function describeConsidered({
  considered,
  isCut,
  oldest,
}: Pick<RulePreview, 'considered' | 'isCut' | 'oldest'>): string {
  if (!isCut) return `the ${formatRequests(considered)} of the last 24 hours`;
  const since = oldest === null ? '' : ` (since ${formatUtcTime(oldest)})`;
  return `the newest ${formatRequests(considered)}${since}`;
}

/** Lists what a reader should know, the most important first. */
export function listWarnings(preview: RulePreview, action: ActionKind): readonly PreviewWarning[] {
  const { considered, stopped, stillStopped, letThrough, unknown, own, isCut, limitsOpenUntil } = preview;
  const tried = findTriedRule(preview);
  const [matched, mayMatch] = [tried?.matched ?? 0, tried?.mayMatch ?? 0];
  const others = stopped.requests - stopped.byRule;
  const warnings: (PreviewWarning | null)[] = [
    stops(action) && considered > 0 && stopped.byRule > 0 && stopped.requests + stillStopped === considered
      ? { tone: 'danger', text: 'It stops every request of the team: nothing of this time would pass.' }
      : null,
    own.stopped > 0 && stopped.byRule > 0
      ? {
          tone: 'danger',
          text: `It stops requests from your own address ${own.client}: ${formatWhole(own.stopped)} of ${formatWhole(own.considered)}.`,
        }
      : null,
    considered > 0 && matched + mayMatch === 0
      ? {
          tone: 'warning',
          text: 'No request of this time matches it. Choose a longer time, or check its values: a path is the one that was asked, and case counts.',
        }
      : null,
    tried !== null && tried.matched > tried.decided + tried.mayDecide
      ? {
          tone: 'info',
          text: `It matches ${formatRequests(tried.matched)}, and decides ${formatSpan(tried.decided, tried.mayDecide)} of them: another rule wins over it for the others.`,
        }
      : null,
    unknown.requests > 0
      ? {
          tone: 'warning',
          text: describeUnknown(unknown),
        }
      : null,
    others > 0
      ? {
          tone: 'info',
          text: `${formatRequests(others)} more would be stopped by rules that were switched on or changed after them.`,
        }
      : null,
    letThrough > 0 && action !== 'bypass'
      ? {
          tone: 'info',
          text: `${formatRequests(letThrough)} that the firewall stopped then would pass it now.`,
        }
      : null,
    limitsOpenUntil === null
      ? null
      : {
          tone: 'info',
          text: `Rate limits were counted from the oldest request that was read. Until ${formatUtcTime(limitsOpenUntil)} more may have been stopped.`,
        },
    isCut
      ? { tone: 'info', text: 'These are the newest requests; older ones of this time were not looked at.' }
      : null,
  ];
  return warnings.filter((warning) => warning !== null);
}

/** Whether switching a rule on needs a question first. */
export function isDangerous(preview: RulePreview, action: ActionKind): boolean {
  return listWarnings(preview, action).some(({ tone }) => tone === 'danger');
}

/** Says why requests cannot be judged, and which rules are the reason. */
function describeUnknown({ requests, reasons, rules }: RulePreview['unknown']): string {
  const said = `${formatRequests(requests)} cannot be judged:`;
  const looked = reasons.flatMap(({ reason }) => (reason === 'limit' ? [] : [REASONS[reason] ?? reason]));
  if (looked.length === 0)
    return `${said} whether a rate limit was reached depends on others that cannot be judged either.`;
  const names = rules.map((name) => (name === '' ? 'this rule' : `the rule “${name}”`));
  return `${said} ${names.length === 0 ? 'a rule' : names.join(' and ')} ${names.length > 1 ? 'look' : 'looks'} at ${looked.join(', and ')}.`;
}

function stops(action: ActionKind): boolean {
  return action === 'deny' || action === 'rate-limit';
}

/** What happened to a request, by the decision in the log. */
const DECISIONS: Readonly<Record<string, string>> = {
  admitted: 'passed',
  'firewall-deny': 'denied (403)',
  'firewall-limit': 'limited (429)',
  'plan-limit': 'over the plan (429)',
  unavailable: 'unavailable (503)',
};
const EFFECTS: Readonly<Record<string, string>> = {
  pass: 'passes',
  deny: 'denied (403)',
  limit: 'limited (429)',
};

/** Says what happened to a request and what would. */
export function describeChange(
  decision: string,
  effect: string | null,
): readonly [was: string, would: string] {
  return [DECISIONS[decision] ?? decision, effect === null ? 'unknown' : (EFFECTS[effect] ?? effect)];
}
