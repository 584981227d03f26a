import type { Account } from '../../../chain/accounts.ts';
import { type MintFacts, decodeMintFacts } from '../../../market/mint-facts.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import type { TokenAccount } from '../../../solana/programs/token/account.ts';
import { computeAssociatedAccountSize } from '../../../solana/programs/token/associated-size.ts';
import { ExtensionType, findExtension } from '../../../solana/programs/token/extensions.ts';
import { transferChecked } from '../../../solana/programs/token/instructions.ts';
import { decodeMint } from '../../../solana/programs/token/mint.ts';
import {
  transferCheckedWithFee,
  computeTransferFee,
  getTransferFeeAt,
  findTransferFeeConfig,
} from '../../../solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import { readAccounts } from '../../../transactions/build/build-transaction.ts';
import type { AccountStates } from '../../../transactions/build/costs.ts';
import { decodeIfTokenAccount } from '../holdings/holdings.ts';
import { type CraftDependencies, craftSigned } from '../../../transactions/signed/craft-signed.ts';
import { createImpossible, type ImpossibleTransfer } from './impossible-transfer.ts';
import type { CraftedTransfer } from './native-transfer.ts';
import { describeReceiverLoss } from '../../../transactions/receiver-loss.ts';

export interface TokenTransfer {
  readonly sender: Address;
  /** The sender's account that pays. */
  readonly source: Address;
  readonly receiver: Address;
  /** Null: the receiver's associated account, which is created if it does not exist. */
  readonly receiverAccount: Address | null;
  readonly mint: Address;
  /** What the client believes about the mint. */
  readonly decimals: number;
  readonly tokenProgram: Address;
  /** Atoms that leave the sender. */
  readonly amount: bigint;
}

/** A transfer of tokens, with the atoms that arrive after the token's current fee. */
export type CraftedTokenTransfer = CraftedTransfer<{ readonly received: bigint }>;

/**
 * Makes a transfer of tokens, for which the sender pays, with the rent of a new account of the receiver. Whatever the
 * client says about accounts is checked against the network, because a wrong one would send the tokens to somebody else.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function craftTokenTransfer(
  dependencies: CraftDependencies,
  transfer: TokenTransfer,
): Promise<CraftedTokenTransfer> {
  const { chain } = dependencies;
  const { sender, source, receiver, receiverAccount, mint, tokenProgram, amount } = transfer;
  const destination = receiverAccount ?? deriveAssociatedTokenAddress(receiver, mint, tokenProgram);
  if (destination === source) {
    return createImpossible(`the tokens are in the account ${source} of the receiver already`);
  }
  const accounts = { feePayer: sender, spends: [{ wallet: sender, amount, tokenAccount: source }] };
  const states = await readAccounts(chain, { ...accounts, creations: [] }, [mint, destination, receiver]);
  const mintAccount = states.get(mint) ?? null;
  const facts = mintAccount === null ? null : decodeMintFacts(mintAccount);
  const impossible =
    checkMint(transfer, facts) ??
    checkSource(transfer, states) ??
    checkDestination(transfer, destination, states);
  if (impossible !== null) return impossible;
  if (mintAccount === null) return createImpossible(`there is no token ${mint}`);
  const destinationExists = findTokenAccount(destination, transfer, states) !== null;
  const fee = computeWithheldFee(mintAccount, amount, chain.clock().epoch);
  const crafted = await craftSigned(
    dependencies,
    'transfer',
    {
      ...accounts,
      instructions: () => createTransferInstructions(transfer, destination, destinationExists, fee),
      creations:
        receiverAccount === null
          ? [{ account: destination, rent: () => computeAccountRent(mintAccount), isReturned: false }]
          : [],
      competesFor: [destination],
    },
    states,
  );
  if (crafted.kind !== 'crafted') return createImpossible(crafted.error);
  return { ...crafted, received: amount - (fee ?? 0n) };
}

/**
 * What was stated is checked when the transaction lands, too. The associated-token program fails if the account exists but
 * has been given away. An account that exists is created after the transfer only, which fails if it has been closed: the
 * sender pays no rent that was not stated, which the receiver could collect by closing the account. Token-2022 fails if the
 * token's own fee has changed.
 */
function createTransferInstructions(
  { sender, source, receiver, receiverAccount, mint, tokenProgram, decimals, amount }: TokenTransfer,
  destination: Address,
  destinationExists: boolean,
  fee: bigint | null,
): readonly Instruction[] {
  const moved = { source, destination, authority: sender, mint, decimals, amount };
  const move = fee === null ? transferChecked(tokenProgram, moved) : transferCheckedWithFee(moved, fee);
  if (receiverAccount !== null) return [move];
  const setup = { payer: sender, owner: receiver, mint, tokenProgram };
  const create = createAssociatedTokenIdempotent(setup, destination);
  return destinationExists ? [move, create] : [create, move];
}

function checkMint(
  { mint, decimals, tokenProgram }: TokenTransfer,
  facts: MintFacts | null,
): ImpossibleTransfer | null {
  if (facts === null) return createImpossible(`mint ${mint} is not a token`);
  if (facts.program !== tokenProgram) {
    return createImpossible(
      `tokenProgramId must be ${facts.program} for the token ${mint}, got ${tokenProgram}`,
    );
  }
  if (facts.decimals !== decimals) {
    return createImpossible(`tokenDecimals must be ${facts.decimals} for the token ${mint}, got ${decimals}`);
  }
  if (facts.nonTransferable) return createImpossible(`holders of the token ${mint} cannot transfer it`);
  if (facts.transferHook) {
    return createImpossible(
      `the token ${mint} calls a program at each transfer, which is not supported here`,
    );
  }
  return null;
}

function checkSource(transfer: TokenTransfer, states: AccountStates): ImpossibleTransfer | null {
  const { source, sender } = transfer;
  const token = findTokenAccount(source, transfer, states);
  if (token === null)
    return createImpossible(`senderTokenAccountAddress ${source} is not an account of the token`);
  if (token.owner !== sender) {
    return createImpossible(
      `senderTokenAccountAddress ${source} belongs to ${token.owner}, not to senderAddress ${sender}`,
    );
  }
  return token.state === 'frozen' ? createImpossible(`senderTokenAccountAddress ${source} is frozen`) : null;
}

function checkDestination(
  transfer: TokenTransfer,
  destination: Address,
  states: AccountStates,
): ImpossibleTransfer | null {
  const { receiver, receiverAccount } = transfer;
  const token = findTokenAccount(destination, transfer, states);
  if (receiverAccount !== null) {
    if (token === null)
      return createImpossible(`receiverTokenAccountAddress ${destination} is not an account of the token`);
    // The public interface ignores the receiver here. A client would then show somebody who gets nothing.
    if (token.owner !== receiver && receiver !== destination) {
      return createImpossible(
        `receiverTokenAccountAddress ${destination} belongs to ${token.owner}, not to receiverAddress ${receiver}`,
      );
    }
  } else {
    const loss = describeReceiverLoss('receiverAddress', receiver, states.get(receiver) ?? null);
    if (loss !== null) return createImpossible(loss);
    if (token !== null && token.owner !== receiver) {
      return createImpossible(
        `the associated account ${destination} of receiverAddress ${receiver} has been given to ${token.owner}`,
      );
    }
  }
  if (token !== null && demandsMemo(token)) {
    return createImpossible(
      `the receiver's account ${destination} takes only transfers with a memo, which are not supported here`,
    );
  }
  return token?.state === 'frozen'
    ? createImpossible(`the receiver's account ${destination} is frozen`)
    : null;
}

function demandsMemo({ extensions }: TokenAccount): boolean {
  return findExtension(extensions, ExtensionType.MEMO_TRANSFER)?.[0] === 1;
}

/** Returns null unless the address is an account of the token. */
function findTokenAccount(
  address: Address,
  { mint, tokenProgram }: TokenTransfer,
  states: AccountStates,
): TokenAccount | null {
  const account: Account | null = states.get(address) ?? null;
  if (account === null || account.owner !== tokenProgram) return null;
  const token = decodeIfTokenAccount(address, account.data);
  return token?.mint === mint ? token : null;
}

function computeAccountRent({ owner, data }: Account): bigint {
  return computeRentExemptMinimum(computeAssociatedAccountSize(owner, decodeMint(data)));
}

/** Returns the atoms that the token withholds; null for a token without transfer fees. */
function computeWithheldFee({ data }: Account, amount: bigint, epoch: bigint): bigint | null {
  const config = findTransferFeeConfig(decodeMint(data).extensions);
  return config === null ? null : computeTransferFee(getTransferFeeAt(config, epoch), amount);
}
