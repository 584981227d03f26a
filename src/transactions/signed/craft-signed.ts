import { type Chain, requireAvailable } from '../../chain/chain.ts';
import { encodeUnsigned } from '../../solana/messages/transaction.ts';
import { buildTransaction, type TransactionPlan } from '../build/build-transaction.ts';
import { type AccountStates, describeLackingFunds, sumCosts, type LackingFunds } from '../build/costs.ts';
import type { DescribeFailure } from '../transaction-failure.ts';
import { type Purpose, sealMessage } from './seal.ts';

export interface CraftDependencies {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  /** 32 bytes that all instances share, and nobody else knows. */
  readonly sealKey: Uint8Array;
  /** Returns a number that differs from those before, so that two that are alike are two transactions. */
  readonly nextSerial: () => number;
}

/** A transaction that the wallet may sign. */
export interface CraftedTransaction {
  readonly kind: 'crafted';
  readonly requestId: string;
  /** The unsigned transaction. */
  readonly wire: Uint8Array;
  readonly messageBytes: Uint8Array;
  /** What the wallet pays in addition to what it transfers: fees, and the rent of a new account. */
  readonly costLamports: bigint;
  readonly rentLamports: bigint;
  readonly lastValidBlockHeight: bigint;
}

export type Crafting =
  | CraftedTransaction
  /** The wallet has too little. */
  | { readonly kind: 'lacking'; readonly lack: LackingFunds; readonly error: string }
  /** A program would refuse it. */
  | { readonly kind: 'refused'; readonly error: string };

/** What a plan states of a transaction of this kind: the wallet pays, and nothing is looked up. */
export type WalletPlan = Pick<TransactionPlan, 'feePayer' | 'instructions' | 'creations' | 'spends'> & {
  readonly competesFor: TransactionPlan['priority']['competesFor'];
  /** The price per compute unit that the request asks for. Default: it is left to the service. */
  readonly asked?: TransactionPlan['priority']['asked'];
};

/**
 * Builds the unsigned transaction of a plan, and the request id with which it is executed.
 *
 * @param states - The accounts of the plan as `readAccounts` read them.
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftSigned(
  { chain, describeFailure, sealKey, nextSerial }: CraftDependencies,
  purpose: Purpose,
  { competesFor, asked = null, ...plan }: WalletPlan,
  states: AccountStates,
): Promise<Crafting> {
  requireAvailable(chain);
  const build = await buildTransaction(
    { chain, describeFailure },
    {
      ...plan,
      lookupTables: null,
      tip: 0n,
      priority: { asked, competesFor, isSponsored: false },
      serial: nextSerial(),
    },
    states,
  );
  if (build.kind === 'lacking')
    return { kind: 'lacking', lack: build.lack, error: describeLackingFunds(build.lack) };
  if (build.kind === 'refused') return { kind: 'refused', error: build.failure.message };
  const { messageBytes, lastValidBlockHeight, costs } = build;
  return {
    kind: 'crafted',
    requestId: sealMessage(sealKey, purpose, { messageBytes, lastValidBlockHeight }),
    wire: encodeUnsigned(messageBytes),
    messageBytes,
    costLamports: sumCosts(costs),
    rentLamports: costs.rentFee,
    lastValidBlockHeight,
  };
}
