import { renderTable } from '../../config/render.ts';
import { AuditAnswer } from '../../gateway/admin/platform-schema.ts';
import { callAdmin } from '../admin-call.ts';
import type { Command } from '../command.ts';
import { asAnswer, timeText } from '../platform-answers.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'List the latest changes to organisations, teams and keys, the newest first.',
  words: [],
  settings: ['admin-port'],
  run: async ({ config, write }) => {
    const { entries } = asAnswer(
      AuditAnswer,
      await callAdmin(config.adminPort, { method: 'GET', path: 'audit' }),
    );
    const rows = entries.map(({ at, actor, origin, action, subject, before, after }) => [
      timeText(at),
      `${actor} from ${origin}`,
      action,
      subject,
      `${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    ]);
    write(renderTable([['time', 'who', 'what', 'of', 'change'], ...rows]));
    return 0;
  },
};
