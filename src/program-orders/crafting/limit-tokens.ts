import type { Account } from '../../chain/accounts.ts';
import { decodeMintFacts, type MintFacts } from '../../market/mint-facts.ts';
import type { OrderToken } from '../../protocols/jupiter-limit-order/instructions.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import {
  decodeTokenAccount,
  isTokenAccount,
  type TokenAccount,
} from '../../solana/programs/token/account.ts';
import {
  hasFrozenNewAccounts,
  type Extension,
  ExtensionType,
  findExtension,
} from '../../solana/programs/token/extensions.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';

/** Where `PausableConfig` says that it is paused, behind the authority. */
const PAUSED_AT = 32;
/** Where `ConfidentialTransferAccount` says whether the account takes transfers of open amounts too. */
const TAKES_OPEN_AMOUNTS_AT = 262;

/** Returns the token of a mint, or why orders cannot have it. */
export function findOrderToken(field: string, mint: Address, states: AccountStates): OrderToken | string {
  const account: Account | null = states.get(mint) ?? null;
  const facts = account === null ? null : decodeMintFacts(account);
  if (account === null || facts === null) return `${field} ${mint} is not a token`;
  const refused = findMintObjection(facts, decodeMint(account.data).extensions);
  return refused === null ? { mint, tokenProgram: facts.program } : `${field} ${mint} ${refused}`;
}

/**
 * The program refuses the first two, also while a mint charges nothing and calls nothing: both can be changed while an order
 * waits. The accounts of the order could not take the others, or not before somebody resumes the token.
 */
function findMintObjection(
  { transferFee, nonTransferable }: MintFacts,
  extensions: readonly Extension[],
): string | null {
  if (transferFee !== null) return 'can have transfer fees, which limit orders do not support';
  if (findExtension(extensions, ExtensionType.TRANSFER_HOOK) !== null) {
    return 'has a transfer hook, which limit orders do not support';
  }
  if (nonTransferable) return 'cannot be transferred';
  if (findExtension(extensions, ExtensionType.PAUSABLE)?.[PAUSED_AT] === 1) {
    return 'is paused, so that nobody can transfer it';
  }
  return hasFrozenNewAccounts(extensions) ? 'opens accounts frozen, which limit orders do not support' : null;
}

/** Returns the token account at an address; null if there is none of the token. */
export function findTokensAt(
  address: Address,
  { mint, tokenProgram }: OrderToken,
  states: AccountStates,
): TokenAccount | null {
  const account = states.get(address) ?? null;
  if (account?.owner !== tokenProgram || !isTokenAccount(account.data)) return null;
  try {
    const tokens = decodeTokenAccount(account.data);
    return tokens.mint === mint ? tokens : null;
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

/**
 * Returns why fills could not pay their fee into an account; null if they can. The program checks the account when a fee is due,
 * so an order with a wrong one would never be filled.
 */
export function findFeeAccountObjection(
  feeAccount: Address,
  output: OrderToken,
  states: AccountStates,
): string | null {
  const tokens = findTokensAt(feeAccount, output, states);
  if (tokens === null) {
    return `feeAccount must be a token account of outputMint ${output.mint}, got ${feeAccount}`;
  }
  const obstacle = findPaymentObstacle(tokens);
  return obstacle === null ? null : `feeAccount ${feeAccount} ${obstacle}, so no fee could be paid into it`;
}

/** Returns why fills could not pay into the maker's account of the output; null if they can, or if it does not exist yet. */
export function findReceiverObjection(
  maker: Address,
  output: OrderToken,
  states: AccountStates,
): string | null {
  const receiver = deriveAssociatedTokenAddress(maker, output.mint, output.tokenProgram);
  const tokens = findTokensAt(receiver, output, states);
  if (tokens === null) return null;
  const obstacle = tokens.owner === maker ? findPaymentObstacle(tokens) : 'belongs to another wallet';
  return obstacle === null
    ? null
    : `the account ${receiver} of maker ${maker} ${obstacle}, so the order could not be filled`;
}

function findPaymentObstacle({ state, extensions }: TokenAccount): string | null {
  if (state === 'frozen') return 'is frozen';
  if (findExtension(extensions, ExtensionType.MEMO_TRANSFER)?.[0] === 1) {
    return 'takes only transfers with a memo';
  }
  const confidential = findExtension(extensions, ExtensionType.CONFIDENTIAL_TRANSFER_ACCOUNT);
  return confidential?.[TAKES_OPEN_AMOUNTS_AT] === 0 ? 'takes only confidential transfers' : null;
}
