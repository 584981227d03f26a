import { deriveDcaTokens } from '../../protocols/jupiter-dca/dca-accounts.ts';
import { createCloseDca } from '../../protocols/jupiter-dca/dca-instructions.ts';
import { type DcaOrder, decodeDcaOrder } from '../../protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM } from '../../protocols/jupiter-dca/dca-program.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { closeAccount } from '../../solana/programs/token/instructions.ts';
import { readAccounts } from '../../transactions/build/build-transaction.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import { type CraftDependencies, craftSigned } from '../../transactions/signed/craft-signed.ts';
import type { CraftedDca } from './dca-create.ts';
import { createImpossibleOrder, type ImpossibleOrder } from './impossible-order.ts';

/** An order that its user ends. */
export interface DcaCancellation {
  readonly order: Address;
  readonly user: Address;
}

/**
 * Makes the transaction that closes an order: its user gets what is left of the input, what was bought, and all rent. The
 * program pays into the associated accounts of the user, and opens those that are missing. Wrapped SOL are unwrapped
 * afterwards, unless the user held some before.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftDcaCancellation(
  dependencies: CraftDependencies,
  { order: address, user }: DcaCancellation,
): Promise<CraftedDca | ImpossibleOrder> {
  const wrappedSol = deriveDcaTokens(user, WRAPPED_SOL_MINT);
  // What a closing needs until the rent comes back depends on the order of its payments: the simulation finds out.
  const accounts = { feePayer: user, creations: [], spends: [] };
  const states = await readAccounts(dependencies.chain, accounts, [address, wrappedSol]);
  const order = decodeOpenOrder(states, address);
  if (order === null) return createImpossibleOrder(`order ${address} is not an open recurring order`);
  if (order.user !== user) {
    return createImpossibleOrder(`order ${address} is not an order of user ${user}`);
  }
  const instructions = [createCloseDca({ ...order, address })];
  const { inputMint, outputMint } = order;
  const paysSol = inputMint === WRAPPED_SOL_MINT || outputMint === WRAPPED_SOL_MINT;
  if (paysSol && states.get(wrappedSol)?.owner !== TOKEN_PROGRAM) {
    instructions.push(
      closeAccount(TOKEN_PROGRAM, { account: wrappedSol, destination: user, authority: user }),
    );
  }
  const plan = { ...accounts, instructions: () => instructions, competesFor: [address] };
  const crafted = await craftSigned(dependencies, 'dca-order', plan, states);
  return crafted.kind === 'crafted' ? { ...crafted, order: address } : createImpossibleOrder(crafted.error);
}

/** Returns null if there is no order at the address. */
function decodeOpenOrder(states: AccountStates, address: Address): DcaOrder | null {
  const account = states.get(address) ?? null;
  if (account?.owner !== DCA_PROGRAM) return null;
  try {
    return decodeDcaOrder(account.data);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
