import { requireRecord } from '../records/account-json.ts';
import { ChainUnavailable, type LamportSupply } from '../chain.ts';
import { parseJson } from '../json-rpc/json.ts';
import { requireInContext, requireU64 } from './client/read-json.ts';
import { type CallPolicy, type RpcClient, RpcRefusal } from './client/rpc-client.ts';

/** Nodes add up accounts for some seconds. The caller asks again much later, so one attempt is enough. */
const POLICY: CallPolicy = { attempts: 1, timeoutMs: 60_000, maxBytes: 65_536, urgent: false };

/** Implements `Chain.lamportSupply`. All lamports of a network are more than a double holds exactly. */
export async function lamportSupply(client: Pick<RpcClient, 'call'>): Promise<LamportSupply> {
  const config = { commitment: 'confirmed', excludeNonCirculatingAccountsList: true };
  try {
    return await client.call('getSupply', [config], readSupply, POLICY, parseJson);
  } catch (error) {
    throw error instanceof RpcRefusal ? new ChainUnavailable(error.message, 'refused') : error;
  }
}

/** @throws OperatorError when the result is malformed. */
export function readSupply(result: unknown): LamportSupply {
  const { total, circulating } = requireRecord(requireInContext(result).value, 'result.value');
  const supply = {
    total: requireU64(total, 'result.value.total'),
    circulating: requireU64(circulating, 'result.value.circulating'),
  };
  return supply.circulating > supply.total ? { ...supply, circulating: supply.total } : supply;
}
