import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownKey } from '../../platform/callers/key-cache.ts';
import {
  type CompiledRule,
  evaluate,
  type FirewallRequest,
  type RuleSet,
} from '../../platform/firewall/evaluate.ts';
import type { Action } from '../../platform/firewall/rule.ts';
import { sendGatewayError } from '../http/errors.ts';
import { requestContextOf } from './request-context.ts';
import { type Client, clientReader } from './client-network.ts';
import type { CountryOf } from './country.ts';
import type { RateLimiter, Subject } from '../limits/rate-limiter.ts';
import { decodedPath } from './route-path.ts';
import type { Verdict } from '../limits/sliding-log.ts';

/** What became of a request at the firewall: `allow` is a rate limit that it is within, `limit` one that it is beyond. */
export type FirewallOutcome = 'bypass' | 'deny' | 'limit' | 'allow' | 'log';

export interface FirewallRecord {
  readonly outcome: FirewallOutcome;
  /** The name of the rule that decided. */
  readonly rule: string;
  /** The names of all rules that matched, that one among them. */
  readonly matched: readonly string[];
}

export interface FirewallParts {
  readonly limiter: RateLimiter;
  readonly countryOf: CountryOf;
  /** Unix milliseconds. */
  readonly now: () => number;
}

type RateLimit = Extract<Action, { type: 'rate-limit' }>;

/**
 * Does what the rules of the key's team say. A caller without a key has no team, so no rules; what is free for all has
 * none either. A bypass ends the firewall for the request, and nothing else: the plan's limit comes after it.
 */
export function addFirewall(app: FastifyInstance, parts: FirewallParts): void {
  const readClient = clientReader();
  app.addHook('onRequest', (request, reply, done) => {
    const context = requestContextOf(request);
    const key = context.caller?.key ?? null;
    const rules = key?.rules ?? null;
    if (key === null || rules === null || context.route.isFree) {
      done();
      return;
    }
    const { matched, decided } = evaluate(
      rules,
      factsOf(request, rules, key.name, { readClient, countryOf: parts.countryOf }),
    );
    if (decided === null) {
      done();
      return;
    }
    const { action } = decided;
    if (action.type === 'deny') {
      context.firewall = recordOf('deny', decided, matched);
      sendGatewayError(reply, 403, 'Request blocked by firewall');
    } else if (action.type === 'rate-limit') {
      const subject = countedBy(decided, action, readClient(context.ip).network, key);
      const verdict = parts.limiter.hit(subject, action.window, action.limit, parts.now());
      const decision = { decided, matched };
      if (!(verdict instanceof Promise)) applyLimit(verdict, decision, request, reply, done);
      else verdict.then((later) => applyLimit(later, decision, request, reply, done), done);
    } else {
      context.firewall = recordOf(action.type, decided, matched);
      done();
    }
  });
}

/** The headers of a refusal tell of the rule's window, by which it was refused. */
function applyLimit(
  verdict: Verdict,
  { decided, matched }: { readonly decided: CompiledRule; readonly matched: readonly CompiledRule[] },
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  const context = requestContextOf(request);
  context.firewall = recordOf(verdict.admitted ? 'allow' : 'limit', decided, matched);
  if (verdict.admitted) {
    done();
    return;
  }
  context.verdict = verdict;
  sendGatewayError(reply, 429, 'Too many requests');
}

function recordOf(
  outcome: FirewallOutcome,
  decided: CompiledRule,
  matched: readonly CompiledRule[],
): FirewallRecord {
  return { outcome, rule: decided.name, matched: matched.map(({ name }) => name) };
}

/** Only what the rules look at is looked up. */
function factsOf(
  request: FastifyRequest,
  { needs, headerNames }: RuleSet,
  key: string,
  { readClient, countryOf }: { readonly readClient: (ip: string) => Client; readonly countryOf: CountryOf },
): FirewallRequest {
  return {
    path: needs.has('path') ? decodedPath(request) : '',
    method: request.method,
    key,
    country: needs.has('country') ? countryOf(request) : null,
    ip: needs.has('ip') ? readClient(requestContextOf(request).ip).address : null,
    headers: hasAny(request, headerNames) ? headersOf(request.raw.rawHeaders, headerNames) : NO_HEADERS,
  };
}

const NO_HEADERS: FirewallRequest['headers'] = new Map();

/** Whether a request has one of these headers, so that the others need not be gone through for those that have none. */
function hasAny({ headers }: FastifyRequest, names: ReadonlySet<string>): boolean {
  for (const name of names) if (headers[name] !== undefined) return true;
  return names.has('host') && headers[AUTHORITY] !== undefined;
}

/** What the host is called over HTTP/2, where a client may leave the header of that name out. */
const AUTHORITY = ':authority';

/** Each value by itself where a header was sent several times, which Node joins or drops. */
function headersOf(raw: readonly string[], names: ReadonlySet<string>): FirewallRequest['headers'] {
  const headers = new Map<string, string[]>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const sent = (raw[index] ?? '').toLowerCase();
    const name = sent === AUTHORITY ? 'host' : sent;
    if (names.has(name)) headers.set(name, [...(headers.get(name) ?? []), raw[index + 1] ?? '']);
  }
  return headers;
}

/** A client is counted as callers without a key are: by its IPv4 address, or its IPv6 /64 network. */
function countedBy(rule: CompiledRule, { per }: RateLimit, network: string, key: KnownKey): Subject {
  const { teamId } = key;
  if (per === 'team') return { kind: 'rule', id: rule.id, teamId };
  return { kind: 'rule', id: `${rule.id} ${per === 'key' ? key.id : network}`, teamId };
}
