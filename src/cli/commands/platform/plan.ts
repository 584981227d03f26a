import { renderTable } from '../../../config/render.ts';
import { PlansAnswer } from '../../../gateway/admin/platform-schema.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command } from '../../command-line/command.ts';
import { asAnswer } from '../../admin-client/platform-answers.ts';

export const planListCommand: Command = {
  name: 'plan list',
  summary: 'List the plans and what each admits in 60 seconds.',
  words: [],
  settings: ADMIN_SETTINGS,
  run: async ({ config, write }) => {
    const answer = await callAdmin(config, { method: 'GET', path: 'plans' });
    const rows = asAnswer(PlansAnswer, answer).plans.map(({ name, main, execute }) => [
      name,
      String(main),
      String(execute),
    ]);
    write(renderTable([['plan', 'requests in 60 s', 'executions in 60 s'], ...rows]));
    return 0;
  },
};
