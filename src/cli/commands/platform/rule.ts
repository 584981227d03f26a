import { renderTable } from '../../../config/render.ts';
import { RuleAnswer, RulesAnswer, TryAnswer } from '../../../gateway/admin/platform/firewall-schema.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { checkAnswer, parseTeamPath } from '../../admin-client/platform-answers.ts';
import { parseThen, parseWhen, THEN, WHEN } from './rule-expression.ts';

const settings = ADMIN_SETTINGS;

const FLAGS: readonly CommandFlag[] = [
  {
    name: 'when',
    allowed: WHEN,
    description:
      'Which requests it applies to, by path, key, method, country, header.NAME and ip. Default for a new rule: always.',
  },
  { name: 'then', allowed: THEN, description: 'What happens to these requests.' },
  {
    name: 'enabled',
    allowed: 'true or false',
    description: 'Whether the rule is in force. Default for a new rule: true.',
  },
];

const TRIED = ['path', 'method', 'key', 'ip', 'country'] as const;
const TEST_FLAGS: readonly CommandFlag[] = [
  {
    name: 'path',
    allowed: 'a path',
    description: 'As a client would send it. On the landing port, / is /tx/v1.',
  },
  { name: 'method', allowed: 'a method', description: 'Default: GET.' },
  { name: 'key', allowed: "a key's name", description: 'Default: a key that no rule names.' },
  { name: 'ip', allowed: 'an IP address', description: 'Default: unknown.' },
  { name: 'country', allowed: 'a country code', description: 'Default: unknown.' },
  { name: 'header', allowed: 'NAME=VALUE', description: 'A header of the request.' },
];

export const RULE_COMMANDS: readonly Command[] = [
  {
    name: 'rule list',
    summary: "List a team's firewall rules, oldest first.",
    words: ['organisation/team'],
    settings,
    run: async ({ config, words: [team = ''], write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: `${parseTeamPath(team)}/rules` });
      const rows = checkAnswer(RulesAnswer, answer).rules.map(({ name, enabled, expression }) => [
        name,
        enabled ? 'on' : 'off',
        expression,
      ]);
      write(renderTable([['rule', 'state', 'what it does'], ...rows]));
      return 0;
    },
  },
  {
    name: 'rule add',
    summary: "Add a rule to a team's firewall.",
    words: ['organisation/team', 'name'],
    settings,
    flags: FLAGS,
    run: async ({ config, words: [team = '', name = ''], flags, write }) => {
      if (!flags.has('then')) throw new UsageError(`give --then with ${THEN}`);
      const body = { name, ...parseRuleTerms(flags) };
      const answer = await callAdmin(config, {
        method: 'POST',
        path: `${parseTeamPath(team)}/rules`,
        body,
      });
      write(`${checkAnswer(RuleAnswer, answer).expression}\n`);
      return 0;
    },
  },
  {
    name: 'rule update',
    summary: 'Change a firewall rule, or switch it on or off. What is not given stays as it is.',
    words: ['organisation/team', 'name'],
    settings,
    flags: FLAGS,
    run: async ({ config, words: [team = '', name = ''], flags, write }) => {
      const body = parseRuleTerms(flags);
      if (Object.keys(body).length === 0) throw new UsageError('give --when, --then or --enabled');
      const answer = await callAdmin(config, { method: 'PATCH', path: rulePath(team, name), body });
      const { enabled, expression } = checkAnswer(RuleAnswer, answer);
      write(`${enabled ? '' : 'off: '}${expression}\n`);
      return 0;
    },
  },
  {
    name: 'rule remove',
    summary: 'Remove a firewall rule.',
    words: ['organisation/team', 'name'],
    settings,
    run: async ({ config, words: [team = '', name = ''], write }) => {
      await callAdmin(config, { method: 'DELETE', path: rulePath(team, name) });
      write(`removed the rule ${team}/${name}\n`);
      return 0;
    },
  },
  {
    name: 'rule test',
    summary: "Show what a team's firewall would do with a request. Nothing is counted.",
    words: ['organisation/team'],
    settings,
    flags: TEST_FLAGS,
    run: async ({ config, words: [team = ''], flags, write }) => {
      if (!flags.has('path')) throw new UsageError('give --path with the path of the request');
      const path = `${parseTeamPath(team)}/firewall-test`;
      const answer = await callAdmin(config, { method: 'POST', path, body: parseTriedRequest(flags) });
      const { matched, decided } = checkAnswer(TryAnswer, answer);
      const rows = [['rules that match', matched.join(', ') || 'none']];
      if (decided !== null) rows.push(['rule that decides', decided.name], ['what it does', decided.action]);
      write(renderTable(rows));
      return 0;
    },
  },
];

function rulePath(team: string, name: string): string {
  return `${parseTeamPath(team)}/rules/${encodeURIComponent(name)}`;
}

function parseRuleTerms(flags: ReadonlyMap<string, string>) {
  const when = flags.get('when');
  const then = flags.get('then');
  const enabled = flags.get('enabled');
  if (enabled !== undefined && enabled !== 'true' && enabled !== 'false') {
    throw new UsageError(`flag --enabled is ${formatForError(enabled)}, but must be true or false`);
  }
  return {
    ...(when === undefined ? {} : { groups: parseWhen(when) }),
    ...(then === undefined ? {} : { action: parseThen(then) }),
    ...(enabled === undefined ? {} : { enabled: enabled === 'true' }),
  };
}

function parseTriedRequest(flags: ReadonlyMap<string, string>) {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(flags.get('header') ?? '') ?? [];
  if (flags.has('header') && name === undefined) {
    throw new UsageError(`flag --header is ${formatForError(flags.get('header'))}, but must be NAME=VALUE`);
  }
  return {
    ...Object.fromEntries(TRIED.flatMap((flag) => (flags.has(flag) ? [[flag, flags.get(flag)]] : []))),
    ...(name === undefined ? {} : { headers: { [name]: value } }),
  };
}
