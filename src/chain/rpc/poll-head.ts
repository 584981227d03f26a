import type { Timers } from '../../common/ports/timers.ts';
import { SYSVAR_CLOCK } from '../../solana/program-addresses.ts';
import type { Commitment } from '../chain.ts';
import { createAccountConfig } from './accounts/read-accounts.ts';
import { requireAddressText, requireText } from './client/read-json.ts';
import { ChainUnavailable } from '../chain.ts';
import { POLL, type RpcClient, RpcRefusal } from './client/rpc-client.ts';
import {
  type EpochPosition,
  type PollResult,
  readBlockhash,
  readClock,
  readEpochInfo,
} from './poll-result.ts';

const METHOD_NOT_FOUND = -32601;
const MAX_PROBLEM_LENGTH = 200;

/** Asks the RPC for what changes with every slot. */
export async function pollHead(client: RpcClient, timers: Timers): Promise<PollResult> {
  const askedAt = timers.now();
  const [processed, confirmed, blockhash, clock] = await Promise.all([
    pollPosition(client, 'processed'),
    pollPosition(client, 'confirmed'),
    client.call(
      'getLatestBlockhash',
      [{ commitment: 'confirmed' }],
      (result) => readBlockhash(result, timers.now()),
      POLL,
    ),
    client.call('getMultipleAccounts', [[SYSVAR_CLOCK], createAccountConfig('processed')], readClock, POLL),
  ]);
  const at = timers.now();
  return { processed, confirmed, blockhash, clock, tookMs: at - askedAt, at };
}

/** What changes rarely, or may be a little older. */
export interface SlowPollResult {
  readonly finalized: EpochPosition;
  /** The problem that the RPC's `getHealth` reports. */
  readonly reportedProblem: string | null;
  readonly genesisHash: string;
}

/** Asks the RPC for what may be a little older. */
export async function pollHeadSlowly(client: RpcClient): Promise<SlowPollResult> {
  const [finalized, reportedProblem, genesisHash] = await Promise.all([
    pollPosition(client, 'finalized'),
    pollHealth(client),
    client.call('getGenesisHash', [], (result) => requireAddressText(result, 'result'), POLL),
  ]);
  return { finalized, reportedProblem, genesisHash };
}

function pollPosition(client: RpcClient, commitment: Commitment): Promise<EpochPosition> {
  return client.call('getEpochInfo', [{ commitment }], readEpochInfo, POLL);
}

/** Returns null for a healthy node, and for nodes that do not have the method. */
async function pollHealth(client: RpcClient): Promise<string | null> {
  try {
    const answer = await client.call('getHealth', [], (result) => requireText(result, 'result'), POLL);
    return answer === 'ok' ? null : answer.slice(0, MAX_PROBLEM_LENGTH);
  } catch (error) {
    if (error instanceof RpcRefusal && error.code === METHOD_NOT_FOUND) return null;
    if (error instanceof ChainUnavailable && error.kind === 'not-ready') return error.message;
    throw error;
  }
}
