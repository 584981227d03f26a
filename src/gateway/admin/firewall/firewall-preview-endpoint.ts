import {
  type FirewallPreview,
  MAX_PREVIEWED,
  predictFirewall,
} from '../../../platform/firewall/preview/predict-firewall.ts';
import {
  type PreviewSample,
  computePreviewSummary,
} from '../../../platform/firewall/preview/preview-summary.ts';
import { describeRule } from '../../../platform/firewall/rule.ts';
import { DAY_MS } from '../../../platform/traffic/log/log-tables.ts';
import { SlidingLog } from '../../limits/sliding-log.ts';
import { toClientNetwork } from '../../pipeline/request/client-network.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { TeamParams } from '../platform/platform-schema.ts';
import { TEAMS } from '../platform/resource-paths.ts';
import { resolveTimeRange } from '../traffic/time-range.ts';
import * as shape from './firewall-preview-schema.ts';
import type { FirewallPreviews } from './firewall-previews.ts';

/** Tries a rule with the newest requests of a team. */
export const FIREWALL_PREVIEW_ENDPOINT = defineAdminEndpoint({
  method: 'POST',
  path: `${TEAMS}/:team/firewall-preview`,
  right: 'organisation.read',
  summary: 'Try a firewall rule with the newest requests of a team; nothing is changed or counted',
  description:
    'Says which requests of the log the firewall would have stopped or let through, with a rule that is not saved yet, without one of the rules, or with the rules as they are. It judges as the gateway does, and replays rate limits over the times of the log. One preview of an organisation runs at a time; further ones wait for it.',
  params: TeamParams,
  body: shape.PreviewBody,
  responses: { 200: shape.PreviewAnswer },
  handle: (previews: FirewallPreviews, { params, body, actor }) =>
    previews.takeTurn(params.organisation, async (pause) => {
      const { platform, log } = previews.services;
      const asked = resolveTimeRange(body, platform.now() + 1, 1);
      const { until } = asked;
      const since = Math.max(asked.since, until - MAX_DAYS * DAY_MS);
      const preview = unwrapResult(
        await predictFirewall(
          { platform, log, pause, createWindow: (windowMs) => new SlidingLog(windowMs) },
          params,
          {
            draft: body.rule ?? null,
            replaces: body.replaces ?? null,
            since,
            limit: body.limit ?? MAX_PREVIEWED,
          },
        ),
      );
      return toPreviewJson(preview, { since, until, own: toClientNetwork(actor.from) });
    }),
});

/** The log is read one day after another, so a team without requests makes a preview of many days slow. */
const MAX_DAYS = 31;

function toPreviewJson(
  preview: FirewallPreview,
  { since, until, own }: { readonly since: number; readonly until: number; readonly own: string },
) {
  const { requests, rules, draftId, refusedBefore, isCut, openUntil } = preview;
  const {
    changes,
    stoppedByDraft,
    mayBeStoppedByDraft,
    stoppedByLimit,
    unknown,
    openRules,
    top,
    samples,
    ...counted
  } = computePreviewSummary(preview);
  const counts = new Map(counted.rules.map((one) => [one.id, one]));
  const ofOwn = requests.filter(({ entry }) => entry.client === own);
  return {
    since,
    until,
    considered: requests.length,
    oldest: requests.length === 0 ? null : Math.min(...requests.map(({ entry }) => entry.at)),
    isCut,
    refusedBefore,
    stopped: {
      requests: changes.stopped,
      byRule: stoppedByDraft,
      mayBeByRule: mayBeStoppedByDraft,
      byLimit: stoppedByLimit,
    },
    letThrough: changes['let-through'],
    stillStopped: changes['still-stopped'],
    unchanged: changes.none,
    unknown: {
      requests: changes.unknown,
      reasons: unknown.map((one) => ({ ...one })),
      rules: rules.flatMap(({ id, name }) => (openRules.has(id) ? [name] : [])),
    },
    limitsOpenUntil: openUntil,
    own: {
      client: own,
      considered: ofOwn.length,
      stopped: ofOwn.filter(
        ({ entry, effects }) => entry.decision === 'admitted' && effects.size === 1 && !effects.has('pass'),
      ).length,
    },
    rules: rules.map((rule) => {
      const {
        matched = 0,
        mayMatch = 0,
        decided = 0,
        mayDecide = 0,
        stopped = 0,
      } = counts.get(rule.id) ?? {};
      const isTried = rule.id === draftId;
      return {
        name: rule.name,
        isTried,
        expression: describeRule(rule),
        matched,
        mayMatch,
        decided,
        mayDecide,
        stopped,
      };
    }),
    top: { paths: [...top.paths], keys: [...top.keys], clients: [...top.clients] },
    samples: samples.map(toSampleJson),
  };
}

function toSampleJson({ request, change, effect, rule }: PreviewSample) {
  const { entry, keyName } = request;
  const { at, requestId, method, path, client, country, decision, owner } = entry;
  return {
    at,
    requestId,
    method,
    path,
    key: keyName ?? owner?.keyId ?? '',
    client,
    country,
    decision,
    change,
    effect,
    rule: rule?.name ?? null,
  };
}
