import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownKey } from '../../platform/callers/key-cache.ts';
import {
  type CompiledRule,
  evaluate,
  type FirewallRequest,
  type RuleSet,
  selectRulesNaming,
} from '../../platform/firewall/evaluate.ts';
import type { RuleAction } from '../../platform/firewall/rule.ts';
import { sendGatewayError } from '../http/errors.ts';
import { type FirewallOutcome, type FirewallRecord, getRequestContext } from './request/request-context.ts';
import { type RequestClient, createClientReader } from './request/client-network.ts';
import type { CountryOf } from './request/country.ts';
import type { RateLimiter, RateLimitSubject } from '../limits/rate-limiter.ts';
import type { MatchedRoute } from './request/route.ts';
import { getDecodedPath } from './request/route-path.ts';
import { addStep, waitUntil } from './request/step.ts';
import type { RateLimitVerdict } from '../limits/sliding-log.ts';

export interface FirewallDependencies {
  readonly limiter: RateLimiter;
  readonly countryOf: CountryOf;
  /** Unix milliseconds. */
  readonly now: () => number;
}

interface RuleDecision {
  readonly decided: CompiledRule;
  readonly matched: readonly CompiledRule[];
  /** What the request was counted towards. */
  readonly subject: RateLimitSubject;
}

type RateLimit = Extract<RuleAction, { type: 'rate-limit' }>;

/**
 * Applies the firewall rules of the key's team. A caller without a key has no team and so no rules. Free routes are not
 * checked, except by rules that name the path of a free route that allows it. A bypass skips the remaining rules only; the plan's limit still applies.
 */
export function addFirewall(app: FastifyInstance, { limiter, countryOf, now }: FirewallDependencies): void {
  const readClient = createClientReader();
  addStep(app, 'onRequest', (request, reply) => {
    const context = getRequestContext(request);
    const key = context.caller?.key ?? null;
    const rules = key === null ? null : findRules(key, context.route);
    if (key === null || rules === null) return true;
    const { matched, decided } = evaluate(
      rules,
      collectFacts(request, rules, key.name, { readClient, countryOf }),
    );
    if (decided === null) return true;
    const { action } = decided;
    if (action.type === 'deny') {
      context.firewall = toFirewallRecord('deny', decided, matched);
      sendGatewayError(reply, 403, 'Request blocked by firewall');
      return false;
    }
    if (action.type === 'rate-limit') {
      const subject = toRuleSubject(decided, action, readClient(context.ip).network, key);
      const verdict = limiter.hit(subject, 'rule', action.limit, now());
      const decision = { decided, matched, subject };
      if (!(verdict instanceof Promise)) return applyLimit(verdict, decision, request, reply);
      return waitUntil(verdict, (later) => applyLimit(later, decision, request, reply));
    }
    context.firewall = toFirewallRecord(action.type, decided, matched);
    return true;
  });
}

/** Returns the rules that apply to a route; null if there are none. */
function findRules({ rules }: KnownKey, { isFree, firewallPath }: MatchedRoute): RuleSet | null {
  if (rules === null || !isFree) return rules;
  return firewallPath === null ? null : selectRulesNaming(rules, firewallPath);
}

/** Returns whether the request is admitted. The rate limit headers of a refusal describe the window of the rule that refused. */
function applyLimit(
  verdict: RateLimitVerdict,
  { decided, matched, subject }: RuleDecision,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const context = getRequestContext(request);
  context.firewall = toFirewallRecord(verdict.admitted ? 'allow' : 'limit', decided, matched);
  if (verdict.admitted) {
    context.countedByRule = subject;
    return true;
  }
  context.verdict = verdict;
  sendGatewayError(reply, 429, 'Too many requests');
  return false;
}

function toFirewallRecord(
  outcome: FirewallOutcome,
  decided: CompiledRule,
  matched: readonly CompiledRule[],
): FirewallRecord {
  return { outcome, rule: decided.name, matched: matched.map(({ name }) => name) };
}

/** Collects what the rules look at, and nothing else. */
function collectFacts(
  request: FastifyRequest,
  { needs, headerNames }: RuleSet,
  key: string,
  {
    readClient,
    countryOf,
  }: { readonly readClient: (ip: string) => RequestClient; readonly countryOf: CountryOf },
): FirewallRequest {
  return {
    path: needs.has('path') ? getDecodedPath(request) : '',
    method: request.method,
    key,
    country: needs.has('country') ? countryOf(request, getRequestContext(request).ip) : null,
    ip: needs.has('ip') ? readClient(getRequestContext(request).ip).address : null,
    headers: hasAny(request, headerNames) ? collectHeaders(request.raw.rawHeaders, headerNames) : NO_HEADERS,
  };
}

const NO_HEADERS: FirewallRequest['headers'] = new Map();

/** Whether a request has one of these headers. Most have none, and their raw headers are then not read. */
function hasAny({ headers }: FastifyRequest, names: ReadonlySet<string>): boolean {
  for (const name of names) if (headers[name] !== undefined) return true;
  return names.has('host') && headers[AUTHORITY] !== undefined;
}

/** The pseudo-header that names the host over HTTP/2, where a client may leave out the header `host`. */
const AUTHORITY = ':authority';

/** Returns each value of a header that was sent several times; Node's own headers join or drop them. */
function collectHeaders(raw: readonly string[], names: ReadonlySet<string>): FirewallRequest['headers'] {
  const headers = new Map<string, string[]>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const sent = (raw[index] ?? '').toLowerCase();
    const name = sent === AUTHORITY ? 'host' : sent;
    if (names.has(name)) headers.set(name, [...(headers.get(name) ?? []), raw[index + 1] ?? '']);
  }
  return headers;
}

/**
 * Returns who is counted for a rule. A client is counted like a caller without a key, see `toClientNetwork`. When the numbers
 * of the rule change, counting begins again.
 */
function toRuleSubject(
  rule: CompiledRule,
  action: RateLimit,
  network: string,
  key: KnownKey,
): RateLimitSubject {
  const { limit, windowSeconds, per } = action;
  const numbers = `${rule.id} ${limit}/${windowSeconds}/${per}`;
  const { teamId } = key;
  const windowMs = windowSeconds * 1_000;
  if (per === 'team') return { kind: 'rule', id: numbers, teamId, windowMs };
  return { kind: 'rule', id: `${numbers} ${per === 'key' ? key.id : network}`, teamId, windowMs };
}
