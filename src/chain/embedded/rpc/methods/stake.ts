import { inContext, type RpcContext } from '../calls/context.ts';
import {
  field,
  reachedCommitment,
  readFields,
  requireMinContextSlot,
  commitmentOf,
} from '../calls/config.ts';
import type { Handler } from '../calls/dispatch.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';
import {
  atMost,
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
export function stakeMethods(context: RpcContext): [string, Handler][] {
  const { bank } = context;
  return [
    ['getVoteAccounts', (params) => getVoteAccounts(context, params)],
    [
      'getBlockCommitment',
      (params) => {
        atMost(params, 1);
        readU64(params[0], 'slot');
        return { commitment: null, totalStake: 0 };
      },
    ],
    [
      'getInflationGovernor',
      (params) => {
        atMost(params, 1);
        reachedCommitment(bank, readFields(params[0]));
        return { initial: 0, terminal: 0, taper: 0, foundation: 0, foundationTerm: 0 };
      },
    ],
    [
      'getInflationRate',
      (params) => {
        atMost(params, 0);
        return { total: 0, validator: 0, foundation: 0, epoch: bank.epochInfo('finalized').epoch };
      },
    ],
    [
      'getStakeMinimumDelegation',
      (params) => {
        atMost(params, 1);
        const commitment = reachedCommitment(bank, readFields(params[0]));
        return inContext(context, { slot: bank.slot(commitment), value: MIN_DELEGATION });
      },
    ],
    ['getInflationReward', (params) => getInflationReward(context, params)],
  ];
}

function getVoteAccounts({ bank }: RpcContext, params: Params) {
  atMost(params, 1);
  const fields = readFields(params[0]);
  reachedCommitment(bank, fields);
  field(fields, 'votePubkey', readAddress);
  field(fields, 'keepUnstakedDelinquents', readBoolean);
  field(fields, 'delinquentSlotDistance', readSize);
  return { current: [], delinquent: [] };
}

/** Returns null for each address, because none was rewarded. */
function getInflationReward({ bank }: RpcContext, params: Params): null[] {
  atMost(params, 2);
  const addresses = readArray(params[0] ?? [], 'addresses', MAX_ADDRESSES, readAddress);
  const fields = readFields(params[1]);
  const commitment = commitmentOf(fields);
  requireMinContextSlot(bank, fields, commitment);
  const { epoch: now } = bank.epochInfo(commitment);
  const epoch = field(fields, 'epoch', readU64) ?? now;
  if (epoch > now) throw invalidParams(`config.epoch must be at most ${now}, got ${epoch}`);
  return addresses.map(() => null);
}
