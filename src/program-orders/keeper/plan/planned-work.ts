import type { Account, AccountUpdate } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../../solana/programs/message-fee.ts';
import { listWritableAccounts } from '../../../transactions/build/transaction-message.ts';
import { buildTransaction } from '../../../transactions/build/build-transaction.ts';
import { type AccountStates, describeLackingFunds, sumCosts } from '../../../transactions/build/costs.ts';
import type { OrderTask, PlannedTask } from './order-plan.ts';
import { OrderPutOff } from './order-put-off.ts';
import type { PlanContext } from './plan-dependencies.ts';

/**
 * Nobody competes for an order that has ended, and it gains nothing by haste. The accounts that a cancellation or a closing writes
 * are those of its owner, who can make them look dear with small transactions of their own.
 */
const MOST_PRIORITY = { kind: 'maxCap', lamports: LAMPORTS_PER_SIGNATURE } as const;

/** What is to be done with an order without a swap. */
export interface PlainWork {
  readonly task: Exclude<OrderTask, 'fill'>;
  readonly instruction: Instruction;
  readonly states: AccountStates;
  readonly signers: readonly Keypair[];
}

/**
 * Builds a transaction of one instruction, which the gas wallet pays for.
 *
 * @throws OrderPutOff when a program refuses it, or the gas wallet has too little
 * @throws ChainUnavailable when the network does not answer
 */
export async function planPlainWork(
  { market, gasWallet, nextSerial }: PlanContext,
  { task, instruction, states, signers }: PlainWork,
): Promise<PlannedTask> {
  const build = await buildTransaction(
    market,
    {
      feePayer: gasWallet.address,
      instructions: () => [instruction],
      lookupTables: null,
      creations: [],
      spends: [],
      tip: 0n,
      priority: {
        asked: MOST_PRIORITY,
        competesFor: listWritableAccounts(instruction),
        isSponsored: true,
      },
      serial: nextSerial(),
    },
    states,
  );
  if (build.kind === 'refused') throw new OrderPutOff('refused', build.failure.message);
  if (build.kind === 'lacking') throw new OrderPutOff('gas', describeLackingFunds(build.lack));
  const { messageBytes, lastValidBlockHeight, costs } = build;
  return {
    kind: 'planned',
    task,
    messageBytes,
    lastValidBlockHeight,
    signers,
    lamports: sumCosts(costs),
    fill: null,
  };
}

/** Accounts as they were read for a plan. */
export interface ReadStates {
  readonly states: AccountStates;
  readonly stateOf: (address: Address) => Account | null;
}

/**
 * Reads the accounts that a plan depends on, in one call.
 *
 * @throws OrderPutOff when the node that answered does not know a slot that is confirmed: it would show what is filled already
 * @throws ChainUnavailable when the network does not answer
 */
export async function readPlanStates(
  { market: { chain } }: Pick<PlanContext, 'market'>,
  addresses: readonly Address[],
): Promise<ReadStates> {
  const since = chain.slot('confirmed');
  const read = await chain.getAccounts([...new Set(addresses)]);
  const late = read.find(({ slot }: AccountUpdate) => slot < since);
  if (late !== undefined) {
    throw new OrderPutOff(
      'unavailable',
      `the network shows accounts as of slot ${late.slot}, and ${since} is confirmed`,
    );
  }
  const states: AccountStates = new Map(read.map(({ address, account }) => [address, account]));
  return { states, stateOf: (address) => states.get(address) ?? null };
}
