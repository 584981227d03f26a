import type { Address } from '../../../../solana/address.ts';
import { ByteReader } from '../../../../solana/codec/byte-reader.ts';
import { SYSVAR_EPOCH_SCHEDULE } from '../../../../solana/program-addresses.ts';
import type { Bank } from '../../ledger/bank.ts';
import {
  getCommitment,
  readConfigField,
  readConfigFlag,
  readReachedCommitment,
  readFields,
} from '../calls/config.ts';
import { wrapInContext, type RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import { nodeUnhealthy, noSnapshot } from '../../../json-rpc/rpc-errors.ts';
import {
  requireAtMost,
  createIntegerReader,
  createEnumReader,
  type Params,
  readAddress,
  readArray,
  readU64,
} from '../calls/params.ts';
import { type EpochSchedule, readEpochSchedule } from '../parsed/accounts/sysvar.ts';

const MAX_LEADERS = 5_000;
const MAX_ACCOUNTS_BYTES = 20;
/** The maximum number of accounts that a transaction may lock. */
const MAX_FEE_ACCOUNTS = 128;

/** The methods about the network, which has one node that leads every slot. */
export function createClusterMethods(context: RpcContext): [string, Handler][] {
  const { bank } = context;
  return [
    ['getGenesisHash', plain(() => bank.genesisHash)],
    ['getVersion', plain(() => ({ 'solana-core': context.version }))],
    ['getIdentity', plain(() => ({ identity: bank.identity }))],
    [
      'getHealth',
      plain(() => {
        const reason = bank.unhealthy();
        if (reason !== null) throw nodeUnhealthy(reason);
        return 'ok';
      }),
    ],
    ['getClusterNodes', plain(() => [clusterNode(context)])],
    ['getHighestSnapshotSlot', plain(() => highestSnapshot(bank))],
    ['getSlotLeader', (params) => getSlotLeader(context, params)],
    ['getSlotLeaders', (params) => getSlotLeaders(context, params)],
    ['getEpochSchedule', plain(() => epochSchedule(bank))],
    ['getSupply', (params) => getSupply(context, params)],
    ['getLargestAccounts', (params) => getLargestAccounts(context, params)],
    ['getRecentPrioritizationFees', (params) => getRecentPrioritizationFees(context, params)],
  ];
}

function plain(read: () => unknown): Handler {
  return (params) => {
    requireAtMost(params, 0);
    return read();
  };
}

/** Returns the newest snapshot. All snapshots are full ones. */
function highestSnapshot(bank: Bank) {
  const full = bank.snapshotSlot();
  if (full === null) throw noSnapshot();
  return { full, incremental: null };
}

function getSlotLeader({ bank }: RpcContext, params: Params): Address {
  requireAtMost(params, 1);
  readReachedCommitment(bank, readFields(params[0]));
  return bank.identity;
}

function getSlotLeaders({ bank }: RpcContext, params: Params): Address[] {
  requireAtMost(params, 2);
  readU64(params[0], 'startSlot');
  const limit = createIntegerReader(0, MAX_LEADERS)(params[1], 'limit');
  return Array.from({ length: limit }, () => bank.identity);
}

function epochSchedule(bank: Bank): EpochSchedule {
  const account = bank.getAccount(SYSVAR_EPOCH_SCHEDULE, 'finalized');
  if (account === null) throw new TypeError('the network has no EpochSchedule sysvar');
  return readEpochSchedule(new ByteReader(account.data, 'EpochSchedule sysvar'));
}

function getRecentPrioritizationFees({ bank }: RpcContext, params: Params) {
  requireAtMost(params, 1);
  const writable = readArray(params[0] ?? [], 'addresses', MAX_FEE_ACCOUNTS, readAddress);
  return bank
    .recentPrioritizationFees(writable)
    .map(({ slot, microLamports }) => ({ slot, prioritizationFee: microLamports }));
}

/** Returns the node with the sockets that it has. */
function clusterNode({ bank, version, endpoints }: RpcContext) {
  const { rpc, pubsub } = endpoints();
  return {
    pubkey: bank.identity,
    gossip: null,
    tvu: null,
    tpu: null,
    tpuQuic: null,
    tpuForwards: null,
    tpuForwardsQuic: null,
    tpuVote: null,
    serveRepair: null,
    rpc,
    pubsub,
    version,
    clientId: null,
    featureSet: null,
    shredVersion: null,
  };
}

/** All lamports circulate, because no stake is locked. */
function getSupply(context: RpcContext, params: Params) {
  requireAtMost(params, 1);
  const fields = readFields(params[0]);
  const commitment = getCommitment(fields);
  readConfigFlag(fields, 'excludeNonCirculatingAccountsList');
  const total = context.bank.totalLamports(commitment);
  const value = { total, circulating: total, nonCirculating: 0n, nonCirculatingAccounts: [] };
  return wrapInContext(context, { slot: context.bank.slot(commitment), value });
}

/** All accounts are circulating. */
function getLargestAccounts(context: RpcContext, params: Params) {
  requireAtMost(params, 1);
  const fields = readFields(params[0]);
  const filter = readConfigField(fields, 'filter', createEnumReader(['circulating', 'nonCirculating']));
  const { slot, value } = context.bank.largestAccounts(MAX_ACCOUNTS_BYTES, getCommitment(fields));
  const accounts = filter === 'nonCirculating' ? [] : value;
  return wrapInContext(context, {
    slot,
    value: accounts.map(({ address, account: { lamports } }) => ({ address, lamports })),
  });
}
