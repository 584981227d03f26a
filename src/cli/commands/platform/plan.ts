import { formatForError } from '../../../common/format-for-error.ts';
import { renderTable } from '../../../config/render.ts';
import { PlanLimits, PlansAnswer } from '../../../gateway/admin/platform/platform-schema.ts';
import { MAX_LIMIT } from '../../../platform/plans/plans.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer } from '../../admin-client/platform-answers.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

const settings = ADMIN_SETTINGS;
const LIMIT = `a whole number from 0 to ${MAX_LIMIT}`;
const FLAGS: readonly CommandFlag[] = [
  { name: 'main', allowed: LIMIT, description: 'Requests in 60 seconds; 0 for keyless: a key is required.' },
  { name: 'execute', allowed: LIMIT, description: 'Executions in 60 seconds.' },
  { name: 'submit', allowed: LIMIT, description: 'Submissions in 60 seconds.' },
];

interface ShownLimits {
  readonly main: number;
  readonly execute: number;
  readonly submit: number;
}

export const PLAN_COMMANDS: readonly Command[] = [
  {
    name: 'plan list',
    summary: 'List the plans, their limits in 60 seconds, and what was changed.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: 'plans' });
      const { withoutKey, plans } = checkAnswer(PlansAnswer, answer);
      const rows = [...plans, ...withoutKey].map(({ name, usual, changed, ...limits }) => [
        name,
        ...toLimitCells(limits),
        changed ? toLimitCells(usual).join(', ') : '',
      ]);
      const head = ['plan', 'requests in 60 s', 'executions in 60 s', 'submissions in 60 s', 'changed from'];
      write(renderTable([head, ...rows]));
      return 0;
    },
  },
  {
    name: 'plan change',
    summary:
      'Change the limits of a plan, or of callers without a key: keyless, and keyless-local on this machine.',
    words: ['plan'],
    settings,
    flags: FLAGS,
    run: async ({ config, words: [plan = ''], flags, write }) => {
      const given = [...flags].map(([name, value]): [string, number] => {
        if (/^\d{1,7}$/.test(value)) return [name, Number(value)];
        throw new UsageError(`flag --${name} is ${formatForError(value)}, but must be ${LIMIT}`);
      });
      const body = Object.fromEntries(given);
      const answer = await callAdmin(config, { method: 'PATCH', path: toPlanPath(plan), body });
      write(`${plan} has now ${formatLimits(checkAnswer(PlanLimits, answer))}\n`);
      return 0;
    },
  },
  {
    name: 'plan reset',
    summary: 'Give a plan, or callers without a key, the usual limits again.',
    words: ['plan'],
    settings,
    run: async ({ config, words: [plan = ''], write }) => {
      const answer = await callAdmin(config, { method: 'DELETE', path: toPlanPath(plan) });
      write(`${plan} has again ${formatLimits(checkAnswer(PlanLimits, answer))}\n`);
      return 0;
    },
  },
];

function toPlanPath(plan: string): string {
  return `plans/${encodeURIComponent(plan)}`;
}

function toLimitCells({ main, execute, submit }: ShownLimits): string[] {
  return main === 0 ? ['a key is required', '-', '-'] : [main, execute, submit].map(String);
}

function formatLimits({ main, execute, submit }: ShownLimits): string {
  if (main === 0) return 'no access: a key is required';
  return `${main} requests, ${execute} executions and ${submit} submissions in 60 s`;
}
