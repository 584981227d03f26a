import { renderTable } from '../../../config/render.ts';
import { PlansAnswer } from '../../../gateway/admin/platform/platform-schema.ts';
import { KEYLESS } from '../../../platform/plans/plans.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command } from '../../command-line/command.ts';
import { asAnswer } from '../../admin-client/platform-answers.ts';

export const planListCommand: Command = {
  name: 'plan list',
  summary: 'List the plans and their limits in 60 seconds.',
  words: [],
  settings: ADMIN_SETTINGS,
  run: async ({ config, write }) => {
    const answer = await callAdmin(config, { method: 'GET', path: 'plans' });
    const { keyless, plans } = asAnswer(PlansAnswer, answer);
    const rows = plans.map(({ name, main, execute, submit }) => [
      name,
      String(main),
      String(execute),
      String(submit),
    ]);
    const others = [String(KEYLESS.execute), String(KEYLESS.submit)];
    const ofKeyless = (name: string, main: number) =>
      main === 0 ? [name, 'a key is required', '-', '-'] : [name, String(main), ...others];
    rows.push(ofKeyless('(no key)', keyless.main), ofKeyless('(no key, this machine)', keyless.local));
    write(renderTable([['plan', 'requests in 60 s', 'executions in 60 s', 'submissions in 60 s'], ...rows]));
    return 0;
  },
};
