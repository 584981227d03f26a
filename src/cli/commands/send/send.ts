import type { Command } from '../../command-line/command.ts';
import { KEY_FILE_FLAG, REST_SETTINGS, URL_FLAG } from '../../instance-client/rest-call.ts';
import { RPC_FLAG } from '../../instance-client/rpc-flag.ts';
import { WALLET_FLAGS } from './claim-wallets.ts';

const DEFAULT_MAX_FEE = '0.01';
const SETTINGS = [...REST_SETTINGS, 'rpc-port'] as const;

export const SEND_COMMANDS: readonly Command[] = [
  {
    name: 'send claim',
    summary:
      'Claim what was sent to a code. The code does not leave this machine; - reads it from the input.',
    words: ['code'],
    settings: SETTINGS,
    flags: [
      ...WALLET_FLAGS,
      {
        name: 'max-fee',
        allowed: 'SOL',
        description: `The most that the payer pays. Default: ${DEFAULT_MAX_FEE}.`,
      },
      KEY_FILE_FLAG,
      URL_FLAG,
      RPC_FLAG,
    ],
    run: async (context) => {
      const { runSendClaim } = await import('./run-send.ts');
      return runSendClaim(context, DEFAULT_MAX_FEE);
    },
  },
  {
    name: 'send show',
    summary: 'Show what was sent to a code, and whether it can be claimed. - reads the code from the input.',
    words: ['code'],
    settings: ['host', 'rpc-port', 'data-dir'],
    flags: [RPC_FLAG],
    run: async (context) => {
      const { runSendShow } = await import('./run-send.ts');
      return runSendShow(context);
    },
  },
];
