import type { Chain } from '../../../chain/chain.ts';
import { createClosePredictionOrder } from '../../../protocols/jupiter-prediction/instructions/prediction-order-instructions.ts';
import {
  derivePredictionTokens,
  JUPUSD_MINT,
} from '../../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../../solana/programs/token/account.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import type { OpenPredictionOrder, PredictionAccounts } from '../../prediction.ts';
import type { Chore } from './keeper-chores.ts';

/** What it costs the keeper if the owner has no account for the tokens. The owner's budget of gas bounds how often it pays. */
const ACCOUNT_RENT = computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE);

export interface EndingDependencies {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly accounts: Pick<PredictionAccounts, 'findOrder'>;
  readonly keeper: Address;
}

/** Creates the chore of closing an order: what it holds goes back to its owner, its rent to who paid it. */
export function createOrderEnding(
  { chain, accounts, keeper }: EndingDependencies,
  { address, owner }: OpenPredictionOrder,
): Chore {
  return {
    kind: 'close-order',
    account: address,
    wallet: owner,
    compose: async () => {
      const order = accounts.findOrder(address);
      if (order === null) return null;
      const opened = await openReceiver(chain, owner, keeper);
      const instructions = [...opened.instructions, createClosePredictionOrder(order, keeper)];
      return { instructions, wallet: owner, rent: opened.rent, isGift: opened.rent > 0n };
    },
  };
}

/** What opens an account for tokens. */
export interface OpenedReceiver {
  readonly instructions: readonly Instruction[];
  readonly rent: bigint;
}

/** Returns what opens the owner's account for what it is paid, if it has none. */
export async function openReceiver(
  chain: Pick<Chain, 'getAccounts'>,
  owner: Address,
  keeper: Address,
): Promise<OpenedReceiver> {
  const account = derivePredictionTokens(owner);
  const [read] = await chain.getAccounts([account]);
  if (read?.account?.owner === TOKEN_PROGRAM) return { instructions: [], rent: 0n };
  const create = createAssociatedTokenIdempotent({
    payer: keeper,
    owner,
    mint: JUPUSD_MINT,
    tokenProgram: TOKEN_PROGRAM,
  });
  return { instructions: [create], rent: ACCOUNT_RENT };
}
