import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import { MakerAnswer, MakerLine, MakersAnswer, NewMakerAnswer } from '../../../gateway/admin/maker-schema.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command, CommandContext } from '../../command-line/command.ts';
import { asAnswer, timeText } from '../../admin-client/platform-answers.ts';

const settings = ADMIN_SETTINGS;

export const MAKER_COMMANDS: readonly Command[] = [
  {
    name: 'maker add',
    summary: 'Issue a market maker, and show its key this once.',
    words: ['id', 'address'],
    settings,
    flags: [
      {
        name: 'pairs',
        allowed: 'BASE/QUOTE by their mints, with commas between',
        description: 'Pairs that the maker may quote. Without it: every pair.',
      },
    ],
    run: async ({ config, words: [id = '', address = ''], flags, write, writeError }) => {
      const pairs = flags.get('pairs')?.split(',') ?? null;
      const answer = await callAdmin(config, {
        method: 'POST',
        path: 'makers',
        body: { id, address, pairs },
      });
      return showKey(asAnswer(NewMakerAnswer, answer).key, { write, writeError });
    },
  },
  {
    name: 'maker list',
    summary: 'List the market makers with their status.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: 'makers' });
      const rows = asAnswer(MakersAnswer, answer).makers.map((maker) => [
        ...[maker.id, maker.address, maker.status, placeOf(maker)],
        maker.blockedBy ?? '',
      ]);
      write(renderTable([['maker', 'address', 'status', 'connected', 'why'], ...rows]));
      return 0;
    },
  },
  {
    name: 'maker show',
    summary: 'Show a market maker and what it did.',
    words: ['id'],
    settings,
    run: async ({ config, words: [id = ''], write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: pathOf(id) });
      const maker = asAnswer(MakerAnswer, answer);
      const rejected = Object.entries(maker.rejected).map(([why, count]) => `${why} ${count}`);
      write(
        renderTable([
          ['maker', maker.id],
          ['address', maker.address],
          ['pairs', maker.pairs?.join(', ') ?? 'every pair'],
          ['status', maker.status],
          ['why', maker.blockedBy ?? ''],
          ['connected', placeOf(maker)],
          ['suspended until', timeText(maker.suspendedUntil)],
          ['last sequence number', maker.lastSequenceNumber],
          ['snapshots accepted', String(maker.accepted)],
          ['snapshots rejected', rejected.length === 0 ? 'none' : rejected.join(', ')],
          ['swaps filled', String(maker.swaps.filled)],
          ['swaps missed', String(maker.swaps.missed)],
          ['swaps modified', String(maker.swaps.tampered)],
          ['fill rate', shareOf(maker.swaps.filled, maker.swaps.filled + maker.swaps.missed)],
          ['orders considered', String(maker.orders.considered)],
          ['orders won', String(maker.orders.won)],
          ['win rate', shareOf(maker.orders.won, maker.orders.considered)],
          ['volume', dollarsOf(BigInt(maker.volume.microDollars))],
          ...maker.volume.mints.flatMap(({ mint, paid, received }) => [
            [`atoms of ${mint}`, `${paid} paid, ${received} received`],
          ]),
        ]),
      );
      return 0;
    },
  },
  change('disable', 'End the streams of a market maker and refuse its calls.', 'disabled'),
  change('enable', 'Let a market maker connect again.', 'enabled'),
  change(
    'reinstate',
    'Let a market maker quote again that returned a modified swap, or is suspended.',
    'reinstated',
  ),
  {
    name: 'maker rotate',
    summary:
      'Give a market maker another key, and show it this once; the one before is refused from then on.',
    words: ['id'],
    settings,
    run: async ({ config, words: [id = ''], write, writeError }) => {
      const answer = await callAdmin(config, { method: 'POST', path: `${pathOf(id)}/rotate` });
      return showKey(asAnswer(NewMakerAnswer, answer).key, { write, writeError });
    },
  },
];

function change(verb: string, summary: string, done: string): Command {
  return {
    name: `maker ${verb}`,
    summary,
    words: ['id'],
    settings,
    run: async ({ config, words: [id = ''], write }) => {
      const answer = await callAdmin(config, { method: 'POST', path: `${pathOf(id)}/${verb}` });
      const { status } = asAnswer(MakerLine, answer);
      write(`${done} the maker ${id}; its status is ${status}\n`);
      return 0;
    },
  };
}

function placeOf({ connected, instance }: Static<typeof MakerLine>): string {
  const live = connected === null ? 'not known' : connected ? 'yes' : 'no';
  return instance === null ? live : `${live}, at ${instance}`;
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? 'none yet' : `${((part / whole) * 100).toFixed(1)} %`;
}

function dollarsOf(micro: bigint): string {
  return `$${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`;
}

function pathOf(id: string): string {
  return `makers/${encodeURIComponent(id)}`;
}

function showKey(key: string, { write, writeError }: Pick<CommandContext, 'write' | 'writeError'>): number {
  writeError('The key is shown only now; it is kept nowhere.\n');
  write(`${key}\n`);
  return 0;
}
