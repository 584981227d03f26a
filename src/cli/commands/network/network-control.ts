import type { Static } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { renderTable } from '../../../config/render.ts';
import {
  ClockAnswer,
  FaultsJson,
  NetworkAnswer,
  NextFaultsAnswer,
} from '../../../gateway/admin/network/network-schema.ts';
import { CallFaultsAnswer } from '../../../gateway/admin/network/call-fault-routes.ts';
import { RequestFaultsAnswer } from '../../../gateway/admin/network/request-fault-routes.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { asAnswer } from '../../admin-client/platform-answers.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { SNAPSHOT_COMMANDS } from './snapshot.ts';

const settings = ADMIN_SETTINGS;
const WHO = 'the network';
const EFFECTS = ['drop', 'delay', 'fail'];

const CLOCK_FLAGS: readonly CommandFlag[] = [
  { name: 'by-slots', allowed: 'a whole number', description: 'Empty slots to pass. Default: 0.' },
  { name: 'by-seconds', allowed: 'a whole number', description: 'Seconds to pass. Default: 0.' },
];

const NEXT_FLAGS: readonly CommandFlag[] = [
  { name: 'count', allowed: 'from 1 to 1000', description: 'How many transactions are struck. Default: 1.' },
  {
    name: 'wallet',
    allowed: 'an address',
    description: 'Only transactions that this wallet signs. Default: all.',
  },
  {
    // `--program` is a setting.
    name: 'to-program',
    allowed: 'an address',
    description: 'Only transactions that call this program. Default: all.',
  },
  { name: 'slots', allowed: 'from 1 to 150', description: 'How long a delay is. Default: 10.' },
  { name: 'code', allowed: 'a whole number', description: 'The custom error of a failure. Default: 1.' },
];

const REQUEST_FAULTS = 'network/faults/requests';
const REQUEST_FLAGS: readonly CommandFlag[] = [
  {
    name: 'status',
    allowed: '429, 500, 502, 503 or 504',
    description: 'What is answered. Default: the request is processed, after the delay.',
  },
  { name: 'delay-ms', allowed: 'from 0 to 60000', description: 'How long it waits. Default: 0.' },
  { name: 'count', allowed: 'from 1 to 1000', description: 'How many requests are struck. Default: 1.' },
];

const RPC_FAULTS = 'network/faults/rpc';
const RPC_FLAGS: readonly CommandFlag[] = [
  {
    name: 'status',
    allowed: '429, 500, 502, 503 or 504',
    description: 'The HTTP status of the answer. Default: 200.',
  },
  {
    name: 'code',
    allowed: 'a whole number',
    description: 'The JSON-RPC error of the answer, such as -32005. Default: none.',
  },
  { name: 'delay-ms', allowed: 'from 0 to 30000', description: 'How long it waits. Default: 0.' },
  { name: 'count', allowed: 'from 1 to 1000', description: 'How many calls are struck. Default: 1.' },
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
      write(clockLine(asAnswer(NetworkAnswer, answer)));
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
      const [slots, seconds] = [wholeOf(flags, 'by-slots', 0), wholeOf(flags, 'by-seconds', 0)];
      if (slots + seconds === 0) throw new UsageError('give --by-slots, --by-seconds, or both');
      const call = { method: 'POST' as const, path: 'network/clock', body: { slots, seconds } };
      const answer = asAnswer(ClockAnswer, await callAdmin(config, call, WHO));
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
      write(clockLine(asAnswer(ClockAnswer, await callAdmin(config, call, WHO))));
      return 0;
    },
  },
  ...SNAPSHOT_COMMANDS,
  {
    name: 'fault list',
    summary: 'List the faults, and the transactions, requests and RPC calls that were struck.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const faults = await callAdmin(config, { method: 'GET', path: 'network/faults' }, WHO);
      const next = await callAdmin(config, { method: 'GET', path: 'network/faults/next' }, WHO);
      const requests = await callAdmin(config, { method: 'GET', path: REQUEST_FAULTS }, WHO);
      write(renderTable([['fault', 'value'], ...Object.entries(asAnswer(FaultsJson, faults)).map(pair)]));
      write(renderNext(asAnswer(NextFaultsAnswer, next)));
      write(renderRequests(asAnswer(RequestFaultsAnswer, requests)));
      const calls = await callAdmin(config, { method: 'GET', path: RPC_FAULTS }, WHO);
      write(renderCalls(asAnswer(CallFaultsAnswer, calls)));
      return 0;
    },
  },
  {
    name: 'fault next',
    summary: 'Drop, delay or fail the next transactions of the embedded network.',
    words: ['drop|delay|fail'],
    settings,
    flags: NEXT_FLAGS,
    run: async ({ config, words: [effect = ''], flags, write }) => {
      if (!EFFECTS.includes(effect)) {
        throw new UsageError(
          `the word is ${formatForError(effect)}, but must be one of ${EFFECTS.join(', ')}`,
        );
      }
      const [wallet, program] = [flags.get('wallet'), flags.get('to-program')];
      const body = {
        effect,
        count: wholeOf(flags, 'count', 1),
        ...(wallet === undefined ? {} : { wallet }),
        ...(program === undefined ? {} : { program }),
        ...(effect === 'delay' ? { slots: wholeOf(flags, 'slots', 10) } : {}),
        ...(effect === 'fail' ? { code: wholeOf(flags, 'code', 1) } : {}),
      };
      const call = { method: 'POST' as const, path: 'network/faults/next', body };
      write(renderNext(asAnswer(NextFaultsAnswer, await callAdmin(config, call, WHO))));
      return 0;
    },
  },
  {
    name: 'fault request',
    summary: 'Refuse or delay the next requests of a path, such as /swap/v2/order.',
    words: ['path'],
    settings,
    flags: REQUEST_FLAGS,
    run: async ({ config, words: [path = ''], flags, write }) => {
      const body = {
        path,
        count: wholeOf(flags, 'count', 1),
        delayMs: wholeOf(flags, 'delay-ms', 0),
        ...(flags.has('status') ? { status: wholeOf(flags, 'status', 0) } : {}),
      };
      const call = { method: 'POST' as const, path: REQUEST_FAULTS, body };
      write(renderRequests(asAnswer(RequestFaultsAnswer, await callAdmin(config, call, WHO))));
      return 0;
    },
  },
  {
    name: 'fault rpc',
    summary: 'Refuse, fail or delay the next calls of a method of the Solana RPC; * is every method.',
    words: ['method'],
    settings,
    flags: RPC_FLAGS,
    run: async ({ config, words: [method = ''], flags, write }) => {
      const body = {
        method,
        count: wholeOf(flags, 'count', 1),
        delayMs: wholeOf(flags, 'delay-ms', 0),
        ...(flags.has('status') ? { status: wholeOf(flags, 'status', 0) } : {}),
        ...(flags.has('code') ? { code: wholeOf(flags, 'code', 0) } : {}),
      };
      const call = { method: 'POST' as const, path: RPC_FAULTS, body };
      write(renderCalls(asAnswer(CallFaultsAnswer, await callAdmin(config, call, WHO))));
      return 0;
    },
  },
  {
    name: 'fault clear',
    summary: 'Switch off all faults.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      await callAdmin(config, { method: 'PUT', path: 'network/faults', body: {} }, WHO);
      await callAdmin(config, { method: 'DELETE', path: 'network/faults/next' }, WHO);
      await callAdmin(config, { method: 'DELETE', path: REQUEST_FAULTS }, WHO);
      await callAdmin(config, { method: 'DELETE', path: RPC_FAULTS }, WHO);
      write('no faults\n');
      return 0;
    },
  },
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

function renderNext({ waiting, struck }: Static<typeof NextFaultsAnswer>): string {
  const waits = waiting.map(({ effect, count, wallet, program }) => [
    `next ${count}`,
    effect,
    wallet ?? 'any wallet',
    program ?? 'any program',
  ]);
  const struckRows = struck.map(({ effect, signature, slot }) => [
    `struck in ${slot}`,
    effect,
    signature,
    '',
  ]);
  return renderTable([['when', 'effect', 'of', 'to'], ...waits, ...struckRows]);
}

function renderRequests({ waiting, struck }: Static<typeof RequestFaultsAnswer>): string {
  const effectOf = ({ status, delayMs }: { readonly status: number | null; readonly delayMs: number }) => [
    status === null ? 'as usual' : String(status),
    `${delayMs} ms`,
  ];
  return renderTable([
    ['when', 'answered', 'after', 'path'],
    ...waiting.map((fault) => [`next ${fault.count}`, ...effectOf(fault), fault.path]),
    ...struck.map((each) => [new Date(each.at).toISOString(), ...effectOf(each), each.path]),
  ]);
}

type CallEffect = Pick<Static<typeof CallFaultsAnswer>['struck'][number], 'status' | 'code' | 'delayMs'>;

function renderCalls({ waiting, struck }: Static<typeof CallFaultsAnswer>): string {
  const effectOf = ({ status, code, delayMs }: CallEffect) => [
    status === null ? (code === null ? 'as usual' : `error ${code}`) : String(status),
    `${delayMs} ms`,
  ];
  return renderTable([
    ['when', 'answered', 'after', 'RPC call'],
    ...waiting.map((fault) => [`next ${fault.count}`, ...effectOf(fault), fault.method]),
    ...struck.map((each) => [new Date(each.at).toISOString(), ...effectOf(each), each.method]),
  ]);
}

function pair([name, value]: [string, unknown]): string[] {
  return [name, String(value)];
}

function wholeOf(flags: ReadonlyMap<string, string>, name: string, absent: number): number {
  const text = flags.get(name);
  if (text === undefined) return absent;
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} is ${formatForError(text)}, but must be a whole number`);
}
