import { setTimeout as delay } from 'node:timers/promises';
import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import { MakerCheckAnswer } from '../../../gateway/admin/makers/maker-check-schema.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { MAX_WAIT_SECONDS } from '../../../rfq/conformance/trials/report.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { checkAnswer } from '../../admin-client/platform-answers.ts';

type MakerCheckOutcome = Static<typeof MakerCheckAnswer>;

const ASK_EVERY_MS = 250;
/** Longer than all time limits of a check together. */
const MAX_MS = 300_000;
const WAIT_ALLOWED = `seconds from 1 to ${MAX_WAIT_SECONDS}`;

export const makerCheckCommand: Command = {
  name: 'maker check',
  summary: 'Put a market maker through every situation, and print a report. Only on the embedded network.',
  words: ['id'],
  settings: ADMIN_SETTINGS,
  flags: [
    {
      name: 'wait',
      allowed: WAIT_ALLOWED,
      description: `How long the maker has for swaps that it must not sign. Default: ${MAX_WAIT_SECONDS}.`,
    },
    {
      name: 'by',
      allowed: 'streams or webhook',
      description:
        'What of the maker is checked. Default: its webhook, if it has one and does not stream; else its streams.',
    },
    { name: 'format', allowed: 'table or json', description: 'How the report is printed. Default: table.' },
  ],
  run: async ({ config, words: [id = ''], flags, write }) => {
    const waitSeconds = parseWaitSeconds(flags.get('wait'));
    const kind = parseCheckKind(flags.get('by'));
    const format = parseFormat(flags.get('format'));
    const path = `network/makers/${encodeURIComponent(parseMakerId(id))}/check`;
    const giveUpAt = Date.now() + MAX_MS;
    let answer = checkAnswer(
      MakerCheckAnswer,
      await callAdmin(config, { method: 'POST', path, body: { waitSeconds, ...kind } }),
    );
    while (answer.running) {
      if (Date.now() > giveUpAt)
        throw new OperatorError(`the check has not ended within ${MAX_MS / 1_000} s`);
      await delay(ASK_EVERY_MS);
      answer = checkAnswer(MakerCheckAnswer, await callAdmin(config, { method: 'GET', path }));
    }
    write(format === 'json' ? `${JSON.stringify(answer, null, 2)}\n` : renderFindings(answer));
    return answer.passed ? 0 : 1;
  },
};

/** @throws UsageError for an address, because a check takes the id under which the maker was registered. */
function parseMakerId(text: string): string {
  if (!text.includes('://') && !/:\d+$/.test(text)) return text;
  throw new UsageError(
    `the maker is ${formatForError(text)}, but must be the id of a maker, as in sluice maker list`,
  );
}

function parseCheckKind(text: string | undefined): { readonly kind?: 'streams' | 'webhook' } {
  if (text === undefined) return {};
  if (text === 'streams' || text === 'webhook') return { kind: text };
  throw new UsageError(`flag --by is ${formatForError(text)}, but must be streams or webhook`);
}

function parseWaitSeconds(text: string | undefined): number {
  if (text === undefined) return MAX_WAIT_SECONDS;
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new UsageError(`flag --wait is ${formatForError(text)}, but must be ${WAIT_ALLOWED}`);
}

function parseFormat(text = 'table'): 'table' | 'json' {
  if (text === 'table' || text === 'json') return text;
  throw new UsageError(`flag --format is ${formatForError(text)}, but must be table or json`);
}

function renderFindings({ maker, passed, findings }: MakerCheckOutcome): string {
  const count = (outcome: string) => findings.filter((finding) => finding.outcome === outcome).length;
  const rows = findings.map(({ situation, outcome, detail }) => [situation, outcome, detail]);
  const sum = `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
  return `${renderTable([['situation', 'outcome', 'what was seen'], ...rows])}\nThe maker ${maker} ${passed ? 'passed' : 'did not pass'}: ${sum}.\n`;
}
