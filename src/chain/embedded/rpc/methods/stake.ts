import { wrapInContext, type RpcContext } from '../calls/context.ts';
import {
  readConfigField,
  readReachedCommitment,
  readFields,
  requireMinContextSlot,
  getCommitment,
} from '../calls/config.ts';
import type { Handler } from '../calls/dispatch.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';
import {
  requireAtMost,
  type Params,
  readAddress,
  readArray,
  readBoolean,
  readSize,
  readU64,
} from '../calls/params.ts';

/** The maximum number of addresses in one `getInflationReward` call. */
const MAX_ADDRESSES = 1_000;
/** The minimum delegation of the runtime's stake program, in lamports. */
const MIN_DELEGATION = 1_000_000_000n;

/** The methods about stake and inflation. The network has neither. */
export function createStakeMethods(context: RpcContext): [string, Handler][] {
  const { bank } = context;
  return [
    ['getVoteAccounts', (params) => getVoteAccounts(context, params)],
    [
      'getBlockCommitment',
      (params) => {
        requireAtMost(params, 1);
        readU64(params[0], 'slot');
        return { commitment: null, totalStake: 0 };
      },
    ],
    [
      'getInflationGovernor',
      (params) => {
        requireAtMost(params, 1);
        readReachedCommitment(bank, readFields(params[0]));
        return { initial: 0, terminal: 0, taper: 0, foundation: 0, foundationTerm: 0 };
      },
    ],
    [
      'getInflationRate',
      (params) => {
        requireAtMost(params, 0);
        return { total: 0, validator: 0, foundation: 0, epoch: bank.epochInfo('finalized').epoch };
      },
    ],
    [
      'getStakeMinimumDelegation',
      (params) => {
        requireAtMost(params, 1);
        const commitment = readReachedCommitment(bank, readFields(params[0]));
        return wrapInContext(context, { slot: bank.slot(commitment), value: MIN_DELEGATION });
      },
    ],
    ['getInflationReward', (params) => getInflationReward(context, params)],
  ];
}

function getVoteAccounts({ bank }: RpcContext, params: Params) {
  requireAtMost(params, 1);
  const fields = readFields(params[0]);
  readReachedCommitment(bank, fields);
  readConfigField(fields, 'votePubkey', readAddress);
  readConfigField(fields, 'keepUnstakedDelinquents', readBoolean);
  readConfigField(fields, 'delinquentSlotDistance', readSize);
  return { current: [], delinquent: [] };
}

/** Returns null for each address, because none was rewarded. */
function getInflationReward({ bank }: RpcContext, params: Params): null[] {
  requireAtMost(params, 2);
  const addresses = readArray(params[0] ?? [], 'addresses', MAX_ADDRESSES, readAddress);
  const fields = readFields(params[1]);
  const commitment = getCommitment(fields);
  requireMinContextSlot(bank, fields, commitment);
  const { epoch: now } = bank.epochInfo(commitment);
  const epoch = readConfigField(fields, 'epoch', readU64) ?? now;
  if (epoch > now) throw invalidParams(`config.epoch must be at most ${now}, got ${epoch}`);
  return addresses.map(() => null);
}
