import { formatForError } from '../../../common/format-for-error.ts';
import { renderTable } from '../../../config/render.ts';
import { CallFaultsAnswer } from '../../../gateway/admin/network/call-fault-endpoints.ts';
import { FaultsJson, NextFaultsAnswer } from '../../../gateway/admin/network/network-schema.ts';
import { RequestFaultsAnswer } from '../../../gateway/admin/network/request-fault-endpoints.ts';
import { type AdminAddress, ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer } from '../../admin-client/platform-answers.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { parseSignedFlag, parseWholeFlag } from './whole-flag.ts';

const settings = ADMIN_SETTINGS;
const WHO = 'the network';
const EFFECTS = ['drop', 'delay', 'fail'];

const FAULTS = 'network/faults';
const NEXT_FAULTS = 'network/faults/next';
const REQUEST_FAULTS = 'network/faults/requests';
const RPC_FAULTS = 'network/faults/rpc';

const NEXT_FLAGS: readonly CommandFlag[] = [
  countFlag('transactions'),
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

const REQUEST_FLAGS: readonly CommandFlag[] = [
  {
    name: 'status',
    allowed: '429, 500, 502, 503 or 504',
    description: 'What is answered. Default: the request is processed, after the delay.',
  },
  { name: 'delay-ms', allowed: 'from 0 to 60000', description: 'How long it waits. Default: 0.' },
  countFlag('requests'),
];

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
  countFlag('calls'),
];

/** The faults of the embedded network: of all transactions, of the next ones, of requests, and of RPC calls. */
export const FAULT_COMMANDS: readonly Command[] = [
  {
    name: 'fault list',
    summary: 'List the faults, and the transactions, requests and RPC calls that were struck.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      const answerOf = (path: string) => callAdmin(config, { method: 'GET', path }, WHO);
      const faults = Object.entries(checkAnswer(FaultsJson, await answerOf(FAULTS)));
      write(renderTable([['fault', 'value'], ...faults.map(([name, value]) => [name, String(value)])]));
      write(renderNext(await answerOf(NEXT_FAULTS)));
      write(renderRequests(await answerOf(REQUEST_FAULTS)));
      write(renderCalls(await answerOf(RPC_FAULTS)));
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
      const fault = {
        effect,
        count: parseWholeFlag(flags, 'count', 1),
        ...(wallet === undefined ? {} : { wallet }),
        ...(program === undefined ? {} : { program }),
        ...(effect === 'delay' ? { slots: parseWholeFlag(flags, 'slots', 10) } : {}),
        ...(effect === 'fail' ? { code: parseWholeFlag(flags, 'code', 1) } : {}),
      };
      write(renderNext(await add(config, NEXT_FAULTS, fault)));
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
      write(renderRequests(await add(config, REQUEST_FAULTS, { path, ...parseStrike(flags) })));
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
      const code = flags.has('code') ? { code: parseSignedFlag(flags, 'code', 0) } : {};
      write(renderCalls(await add(config, RPC_FAULTS, { method, ...parseStrike(flags), ...code })));
      return 0;
    },
  },
  {
    name: 'fault clear',
    summary: 'Switch off all faults.',
    words: [],
    settings,
    run: async ({ config, write }) => {
      await callAdmin(config, { method: 'PUT', path: FAULTS, body: {} }, WHO);
      for (const path of [NEXT_FAULTS, REQUEST_FAULTS, RPC_FAULTS]) {
        await callAdmin(config, { method: 'DELETE', path }, WHO);
      }
      write('no faults\n');
      return 0;
    },
  },
];

function countFlag(struck: string): CommandFlag {
  return {
    name: 'count',
    allowed: 'from 1 to 1000',
    description: `How many ${struck} are struck. Default: 1.`,
  };
}

/** Returns the parameters that faults of requests and faults of calls have in common. */
function parseStrike(flags: ReadonlyMap<string, string>) {
  return {
    count: parseWholeFlag(flags, 'count', 1),
    delayMs: parseWholeFlag(flags, 'delay-ms', 0),
    ...(flags.has('status') ? { status: parseWholeFlag(flags, 'status', 0) } : {}),
  };
}

function add(config: AdminAddress, path: string, fault: object): Promise<unknown> {
  return callAdmin(config, { method: 'POST', path, body: fault }, WHO);
}

function renderNext(answer: unknown): string {
  const { waiting, struck } = checkAnswer(NextFaultsAnswer, answer);
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

function renderRequests(answer: unknown): string {
  const { waiting, struck } = checkAnswer(RequestFaultsAnswer, answer);
  const rows = [...waiting, ...struck].map((each) => [...strikeCells(each), each.path]);
  return renderTable([['when', 'answered', 'after', 'path'], ...rows]);
}

function renderCalls(answer: unknown): string {
  const { waiting, struck } = checkAnswer(CallFaultsAnswer, answer);
  const rows = [...waiting, ...struck].map((each) => [...strikeCells(each), each.method]);
  return renderTable([['when', 'answered', 'after', 'RPC call'], ...rows]);
}

interface ScheduledStrike {
  readonly status: number | null;
  readonly code?: number | null;
  readonly delayMs: number;
}

function strikeCells(
  strike: ScheduledStrike & ({ readonly count: number } | { readonly at: number }),
): [when: string, answered: string, after: string] {
  const { status, code = null, delayMs } = strike;
  const when = 'count' in strike ? `next ${strike.count}` : new Date(strike.at).toISOString();
  const processed = code === null ? 'as usual' : `error ${code}`;
  return [when, status === null ? processed : String(status), `${delayMs} ms`];
}
