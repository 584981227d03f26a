import { renderTable } from '../../../config/render.ts';
import { AuditAnswer } from '../../../gateway/admin/platform/platform-schema.ts';
import { DEFAULT_PAGE, MAX_PAGE } from '../../../platform/requests/paging.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import {
  checkAnswer,
  toOrganisationPath,
  parseTimeFlag,
  formatTimeOrNever,
} from '../../admin-client/platform-answers.ts';
import { CURSOR_FLAG, writeNextPage } from './page-flags.ts';

const TIME = 'a time such as 2027-01-31T00:00:00Z';
const LIMIT = `a number from 1 to ${MAX_PAGE}`;
const FLAGS: readonly CommandFlag[] = [
  { name: 'who', allowed: 'operator or organisation/member', description: 'Only changes by this actor.' },
  {
    name: 'action',
    allowed: 'an action such as api_key.created, or api_key',
    description: 'Only this action, or all actions on keys.',
  },
  {
    name: 'subject',
    allowed: 'a subject such as acme, acme/web or acme/web/ci',
    description: 'Only changes of this subject, or of something in it.',
  },
  {
    name: 'organisation',
    allowed: 'an organisation',
    description: 'Only changes in this organisation. Required with the token of a member.',
  },
  { name: 'since', allowed: TIME, description: 'Only changes at this time or later.' },
  { name: 'until', allowed: TIME, description: 'Only changes before this time.' },
  { name: 'limit', allowed: LIMIT, description: `Most entries on a page. Default: ${DEFAULT_PAGE}.` },
  CURSOR_FLAG,
];

export const auditCommand: Command = {
  name: 'audit',
  summary: 'List the changes in the audit log, newest first.',
  words: [],
  settings: ADMIN_SETTINGS,
  flags: FLAGS,
  run: async ({ config, flags, write, writeError }) => {
    const organisation = flags.get('organisation');
    const list = organisation === undefined ? 'audit' : `${toOrganisationPath(organisation)}/audit`;
    const path = `${list}?${toAuditParameters(flags)}`;
    const { entries, next } = checkAnswer(AuditAnswer, await callAdmin(config, { method: 'GET', path }));
    const rows = entries.map(({ at, actor, origin, action, subject, before, after }) => [
      formatTimeOrNever(at),
      `${actor} from ${origin}`,
      action,
      subject,
      `${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    ]);
    write(renderTable([['time', 'who', 'what', 'of', 'change'], ...rows]));
    writeNextPage(next, writeError);
    return 0;
  },
};

function toAuditParameters(flags: ReadonlyMap<string, string>): URLSearchParams {
  const query = new URLSearchParams();
  const names = { who: 'actor', action: 'action', subject: 'subject', cursor: 'cursor' } as const;
  for (const [flag, parameter] of Object.entries(names)) {
    const value = flags.get(flag);
    if (value !== undefined) query.set(parameter, value);
  }
  for (const name of ['since', 'until']) {
    const value = flags.get(name);
    if (value !== undefined) query.set(name, String(parseTimeFlag(name, value, TIME)));
  }
  const limit = flags.get('limit');
  if (limit !== undefined) {
    if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > MAX_PAGE) {
      throw new UsageError(`flag --limit is ${formatForError(limit)}, but must be ${LIMIT}`);
    }
    query.set('limit', limit);
  }
  return query;
}
