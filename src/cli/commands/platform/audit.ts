import { renderTable } from '../../../config/render.ts';
import { AuditAnswer } from '../../../gateway/admin/platform-schema.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { asAnswer, organisationPath, timeFlag, timeText } from '../../admin-client/platform-answers.ts';

const TIME = 'a time such as 2027-01-31T00:00:00Z';
const FLAGS: readonly CommandFlag[] = [
  { name: 'who', allowed: 'operator or organisation/member', description: 'Only what they changed.' },
  {
    name: 'action',
    allowed: 'as key.create, or key',
    description: 'Only that, or all that was done to keys.',
  },
  {
    name: 'subject',
    allowed: 'as acme, acme/web or acme/web/ci',
    description: 'Only what changed that, or something in it.',
  },
  {
    name: 'organisation',
    allowed: 'an organisation',
    description: 'Only its entries; with the token of a member it must be given.',
  },
  { name: 'since', allowed: TIME, description: 'Only what is not older.' },
  { name: 'until', allowed: TIME, description: 'Only what is older.' },
  { name: 'limit', allowed: 'a number from 1 to 1000', description: 'Most entries. Default: 100.' },
  { name: 'cursor', allowed: 'what the page before ended with', description: 'Goes on after that page.' },
];

export const auditCommand: Command = {
  name: 'audit',
  summary: 'List the changes that were made, the newest first.',
  words: [],
  settings: ADMIN_SETTINGS,
  flags: FLAGS,
  run: async ({ config, flags, write, writeError }) => {
    const organisation = flags.get('organisation');
    const list = organisation === undefined ? 'audit' : `${organisationPath(organisation)}/audit`;
    const path = `${list}?${queryOf(flags)}`;
    const { entries, next } = asAnswer(AuditAnswer, await callAdmin(config, { method: 'GET', path }));
    const rows = entries.map(({ at, actor, origin, action, subject, before, after }) => [
      timeText(at),
      `${actor} from ${origin}`,
      action,
      subject,
      `${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    ]);
    write(renderTable([['time', 'who', 'what', 'of', 'change'], ...rows]));
    if (next !== null) writeError(`There are more: --cursor ${next}\n`);
    return 0;
  },
};

function queryOf(flags: ReadonlyMap<string, string>): URLSearchParams {
  const query = new URLSearchParams();
  const names = { who: 'actor', action: 'action', subject: 'subject', cursor: 'cursor' } as const;
  for (const [flag, parameter] of Object.entries(names)) {
    const value = flags.get(flag);
    if (value !== undefined) query.set(parameter, value);
  }
  for (const name of ['since', 'until']) {
    const value = flags.get(name);
    if (value !== undefined) query.set(name, String(timeFlag(name, value, TIME)));
  }
  const limit = flags.get('limit');
  if (limit !== undefined) {
    if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > 1_000) {
      throw new UsageError(
        `flag --limit is ${formatForError(limit)}, but allowed is a number from 1 to 1000`,
      );
    }
    query.set('limit', limit);
  }
  return query;
}
