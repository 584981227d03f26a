import { RequestInvalid } from '../../http/validation.ts';
import {
  type CheckKind,
  type CheckRuns,
  MAX_WAIT_SECONDS,
  type Report,
  SITUATION_MEANINGS,
  toChecklist,
} from '../../../rfq/conformance/index.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { MakerCheckAnswer, MakerCheckBody, MakerChecksAnswer } from './maker-check-schema.ts';
import type { MakerControls } from './maker-endpoints.ts';
import { MakerParams } from './maker-schema.ts';

const CHECK = '/admin/v1/network/makers/:maker/check';

interface MakerCheckServices extends Pick<MakerControls, 'makers' | 'webhooks'> {
  readonly checks: CheckRuns;
}

const begin = defineAdminEndpoint({
  method: 'POST',
  path: CHECK,
  audited: 'network.maker_check_begun',
  summary: 'Begin a conformance check of a maker',
  params: MakerParams,
  body: MakerCheckBody,
  responses: { 200: MakerCheckAnswer },
  handle: async ({ makers, webhooks, checks }: MakerCheckServices, { params: { maker }, body }) => {
    const { waitSeconds = MAX_WAIT_SECONDS, kind = checks.kindOf(maker) } = body;
    if (makers.get(maker) === null)
      throw new RequestInvalid(`there is no maker ${formatForError(maker)}`, 404);
    if (kind === 'webhook' && webhooks.find(maker) === null)
      throw new RequestInvalid(`the maker ${formatForError(maker)} has no webhook to check`);
    const report = checks.begin(maker, waitSeconds, kind);
    if (report === null) {
      const other = checks.findRunning();
      const whose = other === null ? 'a maker' : `the maker ${formatForError(other)}`;
      throw new RequestInvalid(`a check of ${whose} is under way; wait for its end`, 409);
    }
    return toCheckAnswer(report);
  },
});

const show = defineAdminEndpoint({
  method: 'GET',
  path: CHECK,
  summary: 'The result of a maker’s last conformance check',
  params: MakerParams,
  responses: { 200: MakerCheckAnswer },
  handle: async (services: MakerCheckServices, { params: { maker } }) => {
    const report = findReport(services, maker);
    if (report === null)
      throw new RequestInvalid(`there was no check of the maker ${formatForError(maker)}`, 404);
    return toCheckAnswer(report);
  },
});

const list = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/network/makers/checks',
  summary: 'What a conformance check puts a maker through, and whose check is running',
  responses: { 200: MakerChecksAnswer },
  handle: async (services: MakerCheckServices) => ({
    running: services.checks.findRunning(),
    checked: services.checks
      .listChecked()
      .filter((maker) => findReport(services, maker) !== null)
      .slice(0, MAX_CHECKED),
    streams: listSituations('streams'),
    webhook: listSituations('webhook'),
  }),
});

const MAX_CHECKED = 1_000;

/** The conformance checks of makers. They trade tokens of the embedded network, so they belong to its controls. */
export const MAKER_CHECK_ENDPOINTS = [begin, show, list];

/** Finds the last check of a maker. One that ended before it was registered is of another maker that had the same id and was removed. */
function findReport({ makers, checks }: MakerCheckServices, id: string): Report | null {
  const [report, maker] = [checks.report(id), makers.get(id)];
  if (report === null || maker === null || report.endedAt === null) return report;
  return report.startedAt < maker.record.createdAt ? null : report;
}

function toCheckAnswer(report: Report) {
  const { makerId, running, passed, findings, kind, startedAt, endedAt } = report;
  const situations = toChecklist(report).map((entry) => ({
    ...entry,
    meaning: SITUATION_MEANINGS[kind].get(entry.situation) ?? '',
  }));
  return { maker: makerId, running, passed, findings: [...findings], kind, startedAt, endedAt, situations };
}

function listSituations(kind: CheckKind) {
  return [...SITUATION_MEANINGS[kind]].map(([situation, meaning]) => ({ situation, meaning }));
}
