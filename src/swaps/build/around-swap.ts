import { executeFromVault } from '../../solana/programs/smart-account/execute-instruction.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { type Instruction, isSigner, writableSigner } from '../../solana/messages/instruction.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { Assembly } from './assembly.ts';
import type { SwapTerms } from './swap-terms.ts';
import { isOpened } from './token-flow.ts';

/** Which of the accounts that a swap creates exist already. */
export interface FoundAccounts {
  readonly missing: ReadonlySet<Address>;
  readonly existing: ReadonlySet<Address>;
}

/**
 * Reads the accounts that a swap may create.
 * @throws ChainUnavailable when the network does not answer
 */
export async function findAccounts(
  chain: Pick<Chain, 'getAccounts'>,
  { creations }: Pick<Assembly, 'creations'>,
): Promise<FoundAccounts> {
  const [missing, existing] = [new Set<Address>(), new Set<Address>()];
  if (creations.length === 0) return { missing, existing };
  const read = await chain.getAccounts(creations.map(({ account }) => account));
  for (const { address, account } of read) (isOpened(account) ? existing : missing).add(address);
  return { missing, existing };
}

/** Returns the setup without the instructions that create these token accounts. */
export function removeCreations(
  setup: readonly Instruction[],
  accounts: ReadonlySet<Address>,
): readonly Instruction[] {
  return setup.filter((instruction) => !creates(instruction, accounts));
}

/**
 * Returns the setup with the taker paying if one of these token accounts, which exist, has to be created after all: it
 * could close such an account in the meantime and keep the rent that a payer pays again.
 */
export function chargeTakerForCreations(
  setup: readonly Instruction[],
  accounts: ReadonlySet<Address>,
  taker: Address,
): readonly Instruction[] {
  return setup.map((instruction) => {
    if (!creates(instruction, accounts)) return instruction;
    return { ...instruction, accounts: [writableSigner(taker), ...instruction.accounts.slice(1)] };
  });
}

function creates(
  { programAddress, accounts: [, created] }: Instruction,
  accounts: ReadonlySet<Address>,
): boolean {
  return (
    programAddress === ASSOCIATED_TOKEN_PROGRAM && created !== undefined && accounts.has(created.address)
  );
}

/** Returns the instructions that secure the payer's rent in accounts that the setup creates and that stay with the taker. */
export function listGuards(
  { guards }: Pick<Assembly, 'guards'>,
  missing: ReadonlySet<Address>,
): readonly Instruction[] {
  return [...guards].flatMap(([account, guard]) => (missing.has(account) ? [guard] : []));
}

/** Returns the instructions that unwrap SOL, close the account of the input, give lent rent back and close accounts. */
export function listCleanupInstructions(
  {
    cleanup,
    sourceClosing,
    rentReturns,
    closings,
  }: Pick<Assembly, 'cleanup' | 'sourceClosing' | 'rentReturns' | 'closings'>,
  missing: ReadonlySet<Address>,
): readonly Instruction[] {
  const instructions = [...(cleanup === null ? [] : [cleanup]), ...sourceClosing];
  for (const [account, giveBack] of rentReturns) if (missing.has(account)) instructions.push(giveBack);
  for (const closing of closings)
    if (missing.has(closing.account)) instructions.push(...closing.instructions);
  return instructions;
}

/**
 * Returns the instructions as a transaction has them. A wallet signs the transaction. The vault of a multisig cannot, so its
 * program carries out what the vault signs, and takes the right to sign from the wallets that agreed: what one of them pays
 * for comes before. That is the creation of token accounts, on which nothing else has an effect.
 */
export function signForTaker(
  { vault }: Pick<SwapTerms, 'vault'>,
  instructions: readonly Instruction[],
): readonly Instruction[] {
  if (vault === undefined) return instructions;
  const [outside, inside]: [Instruction[], Instruction[]] = [[], []];
  for (const instruction of instructions) {
    const signers = instruction.accounts.filter(({ role }) => isSigner(role));
    (signers.some(({ address }) => address !== vault.vault) ? outside : inside).push(instruction);
  }
  return [...outside, executeFromVault(vault, inside)];
}
