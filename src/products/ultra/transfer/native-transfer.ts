import type { Address } from '../../../solana/address.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { readAccounts } from '../../../transactions/build/build-transaction.ts';
import {
  type CraftDependencies,
  type CraftedTransaction,
  craftSigned,
} from '../../../transactions/signed/craft-signed.ts';
import { createImpossible, type ImpossibleTransfer } from './impossible-transfer.ts';
import { describeReceiverLoss } from '../../../transactions/receiver-loss.ts';

export interface NativeTransfer {
  readonly sender: Address;
  readonly receiver: Address;
  /** Lamports. */
  readonly amount: bigint;
}

/** A transfer to sign, or why there is none. */
export type CraftedTransfer<More = unknown> = (CraftedTransaction & More) | ImpossibleTransfer;

/**
 * Makes a transfer of SOL, for which the sender pays.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftNativeTransfer(
  dependencies: CraftDependencies,
  { sender, receiver, amount }: NativeTransfer,
): Promise<CraftedTransfer> {
  if (sender === receiver) return createImpossible('receiverAddress must differ from senderAddress');
  const plan = {
    feePayer: sender,
    instructions: () => [transferLamports(sender, receiver, amount)],
    creations: [],
    spends: [{ wallet: sender, amount, tokenAccount: null }],
    competesFor: [receiver],
  };
  const states = await readAccounts(dependencies.chain, plan, [receiver]);
  const loss = describeReceiverLoss('receiverAddress', receiver, states.get(receiver) ?? null);
  if (loss !== null) return createImpossible(loss);
  const crafted = await craftSigned(dependencies, 'transfer', plan, states);
  return crafted.kind === 'crafted' ? crafted : createImpossible(crafted.error);
}
