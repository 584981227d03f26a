import { ClockAnswer, NetworkAnswer } from '../../../gateway/admin/network/network-schema.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer } from '../../admin-client/platform-answers.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { FAULT_COMMANDS } from './faults.ts';
import { SNAPSHOT_COMMANDS } from './snapshot.ts';
import { parseWholeFlag } from './whole-flag.ts';

const settings = ADMIN_SETTINGS;
const WHO = 'the network';

const CLOCK_FLAGS: readonly CommandFlag[] = [
  { name: 'by-slots', allowed: 'a whole number', description: 'Empty slots to pass. Default: 0.' },
  { name: 'by-seconds', allowed: 'a whole number', description: 'Seconds to pass. Default: 0.' },
];

/** The clock, the snapshots and the faults of the embedded network. */
export const NETWORK_CONTROL_COMMANDS: readonly Command[] = [
  {
    name: 'clock show',
    summary: 'Show the slot and the clock of the embedded network.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: 'network' }, WHO);
      write(clockLine(checkAnswer(NetworkAnswer, answer)));
      return 0;
    },
  },
  {
    name: 'clock advance',
    summary: 'Move the clock of the embedded network forward.',
    words: [],
    settings,
    flags: CLOCK_FLAGS,
    run: async ({ config, flags, write }) => {
      const [slots, seconds] = [parseWholeFlag(flags, 'by-slots', 0), parseWholeFlag(flags, 'by-seconds', 0)];
      if (slots + seconds === 0) throw new UsageError('give --by-slots, --by-seconds, or both');
      const call = { method: 'POST' as const, path: 'network/clock', body: { slots, seconds } };
      const answer = checkAnswer(ClockAnswer, await callAdmin(config, call, WHO));
      write(clockLine(answer));
      if (answer.notice !== undefined) write(`note: ${answer.notice}\n`);
      return 0;
    },
  },
  {
    name: 'reset',
    summary: 'Put the embedded network back to its beginning. Keys, organisations and snapshots stay.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const call = { method: 'POST' as const, path: 'network/reset' };
      write(clockLine(checkAnswer(ClockAnswer, await callAdmin(config, call, WHO))));
      return 0;
    },
  },
  ...SNAPSHOT_COMMANDS,
  ...FAULT_COMMANDS,
];

function clockLine({
  slot,
  unixTimestamp,
}: {
  readonly slot: string;
  readonly unixTimestamp: string;
}): string {
  return `slot ${slot}, ${new Date(Number(unixTimestamp) * 1_000).toISOString()}\n`;
}
