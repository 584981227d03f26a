import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import {
  MakerAnswer,
  MakerLine,
  MakersAnswer,
  NewMakerAnswer,
} from '../../../gateway/admin/makers/maker-schema.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import type { Command, CommandContext } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { checkAnswer, formatTimeOrNever } from '../../admin-client/platform-answers.ts';

const settings = ADMIN_SETTINGS;

export const MAKER_COMMANDS: readonly Command[] = [
  {
    name: 'maker add',
    summary: 'Add a market maker, and show its key, which is not stored.',
    words: ['id', 'address'],
    settings,
    flags: [
      {
        name: 'name',
        allowed: 'up to 64 characters',
        description: 'What you call the maker in lists. Default: it has no name.',
      },
      {
        name: 'pairs',
        allowed: 'BASE/QUOTE by their mints, separated by commas',
        description: 'Pairs that the maker may quote. Default: every pair.',
      },
      {
        name: 'webhook',
        allowed: 'the base URL of its webhook',
        description: 'Ask the maker for quotes at this webhook. Default: the maker streams only.',
      },
      {
        name: 'webhook-key',
        allowed: '1 to 200 visible ASCII characters',
        description: 'The key that the webhook wants as `x-api-key`. Default: none.',
      },
    ],
    run: async ({ config, words: [id = '', address = ''], flags, write, writeError }) => {
      const pairs = flags.get('pairs')?.split(',') ?? null;
      const name = flags.get('name') ?? null;
      const body = { id, name, address, pairs, ...getWebhookFields(flags) };
      const answer = await callAdmin(config, { method: 'POST', path: 'makers', body });
      return showKey(checkAnswer(NewMakerAnswer, answer).key, { write, writeError });
    },
  },
  {
    name: 'maker list',
    summary: 'List the market makers with their status.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: 'makers' });
      const rows = checkAnswer(MakersAnswer, answer).makers.map((maker) => [
        ...[maker.id, maker.name ?? '', maker.address, getShownStatus(maker), formatConnection(maker)],
        maker.noOrders ?? '',
      ]);
      write(renderTable([['maker', 'name', 'address', 'status', 'connected', 'no orders because'], ...rows]));
      return 0;
    },
  },
  {
    name: 'maker show',
    summary: 'Show a market maker and its statistics.',
    words: ['id'],
    settings,
    run: async ({ config, words: [id = ''], write }) => {
      const answer = await callAdmin(config, { method: 'GET', path: toMakerPath(id) });
      const maker = checkAnswer(MakerAnswer, answer);
      const rejected = Object.entries(maker.rejected).map(([why, count]) => `${why} ${count}`);
      write(
        renderTable([
          ['maker', maker.id],
          ['name', maker.name ?? ''],
          ['address', maker.address],
          ['pairs', maker.pairs?.join(', ') ?? 'every pair'],
          ['status', getShownStatus(maker)],
          ['no orders because', maker.noOrders ?? ''],
          ['connected', formatConnection(maker)],
          ['suspended until', formatTimeOrNever(maker.suspendedUntil)],
          ...webhookRows(maker.webhook),
          ['last sequence number', maker.lastSequenceNumber],
          ['snapshots accepted', String(maker.accepted)],
          ['snapshots rejected', rejected.length === 0 ? 'none' : rejected.join(', ')],
          ['swaps filled', String(maker.swaps.filled)],
          ['swaps missed', String(maker.swaps.missed)],
          ['swaps modified', String(maker.swaps.tampered)],
          ['fill rate', formatShare(maker.swaps.filled, maker.swaps.filled + maker.swaps.missed)],
          ['orders considered', String(maker.orders.considered)],
          ['orders won', String(maker.orders.won)],
          ['win rate', formatShare(maker.orders.won, maker.orders.considered)],
          ['volume', formatDollars(BigInt(maker.volume.microDollars))],
          ...maker.volume.mints.flatMap(({ mint, paid, received }) => [
            [`atoms of ${mint}`, `${paid} paid, ${received} received`],
          ]),
        ]),
      );
      return 0;
    },
  },
  {
    name: 'maker change',
    summary: 'Change the name, pairs or webhook of a market maker. What is not given stays as it is.',
    words: ['id'],
    settings,
    flags: [
      {
        name: 'name',
        allowed: 'up to 64 characters, or none',
        description: 'What you call the maker in lists.',
      },
      {
        name: 'pairs',
        allowed: 'BASE/QUOTE by their mints, separated by commas, or all',
        description: 'Pairs that the maker may quote. Its books of other pairs leave the market at once.',
      },
      {
        name: 'webhook',
        allowed: 'the base URL of its webhook, or none',
        description: 'Where the maker is asked for quotes. The key of the webhook stays.',
      },
      {
        name: 'webhook-key',
        allowed: '1 to 200 visible ASCII characters, or none',
        description: 'The key that the webhook wants as `x-api-key`.',
      },
    ],
    run: async ({ config, words: [id = ''], flags, write }) => {
      const body = getChanges(flags);
      if (Object.keys(body).length === 0) {
        throw new UsageError('give --name, --pairs, --webhook or --webhook-key, or several of them');
      }
      const answer = await callAdmin(config, { method: 'PATCH', path: toMakerPath(id), body });
      write(`changed the maker ${id}; its status is ${getShownStatus(checkAnswer(MakerLine, answer))}\n`);
      return 0;
    },
  },
  {
    name: 'maker remove',
    summary:
      'Remove a market maker with its key. Its fills stay in the records, and its id and wallet are free.',
    words: ['id'],
    settings,
    run: async ({ config, words: [id = ''], write }) => {
      await callAdmin(config, { method: 'DELETE', path: toMakerPath(id) });
      write(`removed the maker ${id}\n`);
      return 0;
    },
  },
  change('disable', 'End the streams of a market maker and refuse its calls.', 'disabled'),
  change('enable', 'Let a market maker connect again.', 'enabled'),
  change(
    'reinstate',
    'Let a market maker quote again after it returned a modified swap or was suspended.',
    'reinstated',
  ),
  {
    name: 'maker rotate',
    summary:
      'Replace the key of a market maker, and show the new one, which is not stored. The old key is refused.',
    words: ['id'],
    settings,
    run: async ({ config, words: [id = ''], write, writeError }) => {
      const answer = await callAdmin(config, { method: 'POST', path: `${toMakerPath(id)}/rotate` });
      return showKey(checkAnswer(NewMakerAnswer, answer).key, { write, writeError });
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
      const answer = await callAdmin(config, { method: 'POST', path: `${toMakerPath(id)}/${verb}` });
      const { status } = checkAnswer(MakerLine, answer);
      write(`${done} the maker ${id}; its status is ${status}\n`);
      return 0;
    },
  };
}

function getWebhookFields(flags: ReadonlyMap<string, string>) {
  const [webhook, webhookKey] = [flags.get('webhook'), flags.get('webhook-key')];
  return {
    ...(webhook === undefined ? {} : { webhook }),
    ...(webhookKey === undefined ? {} : { webhookKey }),
  };
}

/** The fields that the flags change. `none`, and `all` for the pairs, are the words for null. */
function getChanges(flags: ReadonlyMap<string, string>) {
  const [name, pairs] = [flags.get('name'), flags.get('pairs')];
  const { webhook, webhookKey } = getWebhookFields(flags);
  const orNull = (text: string) => (text === 'none' ? null : text);
  return {
    ...(name === undefined ? {} : { name: orNull(name) }),
    ...(pairs === undefined ? {} : { pairs: pairs === 'all' ? null : pairs.split(',') }),
    ...(webhook === undefined ? {} : { webhook: orNull(webhook) }),
    ...(webhookKey === undefined ? {} : { webhookKey: orNull(webhookKey) }),
  };
}

function webhookRows(webhook: Static<typeof MakerAnswer>['webhook']): readonly (readonly string[])[] {
  if (webhook === null) return [['webhook', 'none']];
  const { url, status, why, suspendedUntil, mints, swaps, calls } = webhook;
  const asked = `${calls.asked} times: ${calls.quoted} quoted, ${calls.declined} declined, ${calls.failed} failed`;
  return [
    ['webhook', url],
    ['webhook status', why === null ? status : `${status}: ${why}`],
    ['webhook suspended until', formatTimeOrNever(suspendedUntil)],
    ['webhook mints', mints === null ? 'not read yet' : String(mints)],
    ['webhook asked by this instance', asked],
    ['webhook last answer', formatTimeOrNever(calls.lastAnswerAt)],
    ['webhook last problem', calls.problem ?? 'none'],
    ['webhook not asked until', formatTimeOrNever(calls.restsUntil)],
    ['webhook swaps', `${swaps.filled} filled, ${swaps.missed} missed, ${swaps.excused} excused`],
    ['webhook fill rate', formatShare(swaps.filled, swaps.filled + swaps.missed)],
  ];
}

type ListedMaker = Static<typeof MakerLine>;

/** Whether a maker only has a webhook, so that it needs no connection. */
function isAskedOnly({ webhook, connected }: ListedMaker): boolean {
  return webhook !== null && connected !== true;
}

function getShownStatus(maker: ListedMaker): string {
  return maker.webhook !== null && isAskedOnly(maker) ? maker.webhook.status : maker.status;
}

function formatConnection(maker: ListedMaker): string {
  if (isAskedOnly(maker)) return 'asked by webhook';
  const { connected, instance } = maker;
  const live = connected === null ? 'not known' : connected ? 'yes' : 'no';
  return instance === null ? live : `${live}, at ${instance}`;
}

function formatShare(part: number, whole: number): string {
  return whole === 0 ? 'none yet' : `${((part / whole) * 100).toFixed(1)} %`;
}

function formatDollars(micro: bigint): string {
  return `$${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`;
}

function toMakerPath(id: string): string {
  return `makers/${encodeURIComponent(id)}`;
}

function showKey(key: string, { write, writeError }: Pick<CommandContext, 'write' | 'writeError'>): number {
  writeError('The key is shown only now, because it is not stored.\n');
  write(`${key}\n`);
  return 0;
}
