import { createTokenAccount } from '../../market/aggregator/token-accounts.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress, findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  isPaidOutOnClosing,
  isTokenProgram,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import {
  createAssociatedTokenIdempotent,
  isCreateIdempotent,
} from '../../solana/programs/associated-token.ts';
import { findTransferredLamports, transferLamports } from '../../solana/programs/system.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../solana/programs/token/account.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import {
  Authority,
  closeAccount,
  isCloseAccount,
  isSyncNative,
  setAuthority,
  unwrapLamports,
} from '../../solana/programs/token/instructions.ts';
import { isHarvestOfWithheldFees } from '../../solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import {
  describeInstruction,
  isComputeBudget,
  isSameInstruction,
  type ReadInstruction,
  readMessageToSign,
  refuseToSign,
} from './checked-message.ts';
import { deriveOutputAccount } from './output-account.ts';
import type { FillToSign } from './message-to-sign.ts';
import { isRoute, readRoute } from './route.ts';

/**
 * Checks that a fill sells exactly the amount out of the order's account on one route of the aggregator, which pays the wallet at
 * least the floor, or the vault's own account that the request names, and that whatever else the vault signs cannot take anything from it.
 *
 * Accounts that are looked up in tables are unknown here, so none that matters may be one. The pools of the route may.
 *
 * @throws SigningRefused when it does anything else
 */
export function checkFill(request: FillToSign, vault: Address): void {
  const { wallet, payer } = request;
  const message = readMessageToSign(request.messageBytes);
  const signers = [...message.writableSigners, ...message.readonlySigners];
  if (signers.length !== 2 || signers[0] !== payer || signers[1] !== vault) {
    refuseToSign(`${payer} must pay and ${vault} sign beside it, got ${signers.join(', ')}`);
  }
  if (wallet === vault || payer === vault) refuseToSign('the vault is neither the wallet nor the payer');
  const fill = new FillWalk(request, vault);
  for (const [index, instruction] of message.instructions.entries()) {
    if (isComputeBudget(instruction)) continue;
    if (!fill.takes(instruction)) {
      refuseToSign(`${describeInstruction(index, instruction)} is no part of a fill`);
    }
  }
  fill.finish();
}

const TOKEN_PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] as const;
const TEMPORARY_SEED = new TextEncoder().encode('token_account');
const TOKEN_ACCOUNT_RENT = computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE);
/** The rent of an associated account of wrapped SOL, by its token program. */
const WRAPPED_RENTS: readonly bigint[] = TOKEN_PROGRAMS.map((program) =>
  computeRentExemptMinimum(computeAssociatedAccountSize(program, { extensions: [] })),
);

/** The instructions of a fill, in their order, and what they have done so far. */
class FillWalk {
  readonly #request: FillToSign;
  readonly #vault: Address;
  /** The wallet's associated account of the output, for either token program. */
  readonly #walletAccounts: readonly Address[];
  /** The account that SOL passes through on its way to the wallet or through the vault. */
  readonly #temporary: ProgramAddress;
  /** Accounts of the vault that this transaction creates. */
  readonly #created = new Set<Address>();
  #routed = false;
  /** Whether the temporary account holds SOL that still has to be unwrapped to the wallet. */
  #owesTemporary = false;
  #closedOrder = false;
  /** How many rents closings have paid to the vault, which it may still pass on to the payer. */
  #rentsOwed = 0;

  constructor(request: FillToSign, vault: Address) {
    this.#request = request;
    this.#vault = vault;
    this.#walletAccounts = TOKEN_PROGRAMS.map((program) =>
      deriveAssociatedTokenAddress(request.wallet, request.outputMint, program),
    );
    this.#temporary = findProgramAddress(AGGREGATOR_PROGRAM, [
      TEMPORARY_SEED,
      toAddressBytes(vault),
      toAddressBytes(WRAPPED_SOL_MINT),
    ]);
  }

  /** Whether the next instruction is one that a fill may have at this place. */
  takes(instruction: ReadInstruction): boolean {
    switch (instruction.program) {
      case ASSOCIATED_TOKEN_PROGRAM:
        return this.#takesCreation(instruction);
      case SYSTEM_PROGRAM:
        return this.#takesTransfer(instruction);
      case AGGREGATOR_PROGRAM:
        return isRoute(instruction) ? this.#takesRoute(instruction) : this.#takesTemporary(instruction);
      default:
        return isTokenProgram(instruction.program) && this.#takesClosing(instruction);
    }
  }

  /** @throws SigningRefused when something is missing */
  finish(): void {
    if (!this.#routed) refuseToSign('the fill has no route');
    if (this.#owesTemporary) refuseToSign('the SOL of the fill does not go to the wallet');
    if (this.#created.has(this.#temporary.address))
      refuseToSign('the account that SOL comes through stays open');
  }

  /** The payer opens an account of the vault, or the one that the wallet is paid into. */
  #takesCreation(instruction: ReadInstruction): boolean {
    const [payer, account, owner, mint, , tokenProgram] = instruction.accounts;
    if (this.#routed || payer !== this.#request.payer) return false;
    if (account === undefined || account === null || owner === undefined || owner === null) return false;
    if (mint === undefined || tokenProgram === undefined || !isCreateIdempotent(instruction.data))
      return false;
    // The program itself compares a mint that is looked up in a table with the address.
    const setup = {
      payer,
      owner,
      mint: mint ?? WRAPPED_SOL_MINT,
      tokenProgram: tokenProgram ?? TOKEN_PROGRAM,
    };
    const expected = createAssociatedTokenIdempotent(setup, mint === null ? account : undefined);
    if (!isSameButLookedUp(instruction, expected)) return false;
    const { wallet, account: source, outputAccount } = this.#request;
    if (owner === wallet) return outputAccount === null && this.#walletAccounts.includes(account);
    if (owner !== this.#vault || account === source || account === outputAccount) return false;
    this.#created.add(account);
    return true;
  }

  /** The payer pays the rent of the temporary account, or gets back rent that a closing paid to the vault. */
  #takesTransfer(instruction: ReadInstruction): boolean {
    const { payer } = this.#request;
    const lamports = findTransferredLamports(instruction.data);
    if (lamports === null) return false;
    if (
      isSameInstruction(instruction, transferLamports(payer, this.#temporary.address, TOKEN_ACCOUNT_RENT))
    ) {
      return !this.#routed;
    }
    if (this.#rentsOwed === 0 || !WRAPPED_RENTS.includes(lamports)) return false;
    if (!isSameInstruction(instruction, transferLamports(this.#vault, payer, lamports))) return false;
    this.#rentsOwed -= 1;
    return true;
  }

  /** The aggregator turns the temporary address into an account of the vault. It fails if there is one already. */
  #takesTemporary(instruction: ReadInstruction): boolean {
    const { address: tokenAccount, bump } = this.#temporary;
    const expected = createTokenAccount({
      tokenAccount,
      bump,
      user: this.#vault,
      mint: WRAPPED_SOL_MINT,
      tokenProgram: TOKEN_PROGRAM,
    });
    if (this.#routed || this.#created.has(tokenAccount)) return false;
    if (!isSameButLookedUp(instruction, expected)) return false;
    this.#created.add(tokenAccount);
    return true;
  }

  #takesRoute(instruction: ReadInstruction): boolean {
    if (this.#routed) return false;
    const { account, inputMint, outputMint, amount, floor, platformFee } = this.#request;
    const route = readRoute(instruction);
    if (route.authority !== this.#vault)
      refuseToSign(`the route is not the vault's, but ${route.authority}'s`);
    if (route.source !== account) refuseToSign(`the route takes from ${route.source}, not from ${account}`);
    if (
      (route.sourceMint ?? inputMint) !== inputMint ||
      (route.destinationMint ?? outputMint) !== outputMint
    ) {
      refuseToSign(`the route sells ${route.sourceMint} for ${route.destinationMint}`);
    }
    if (route.amount !== amount) refuseToSign(`the route takes ${route.amount} atoms, not ${amount}`);
    if (floor <= 0n || route.threshold < floor) {
      refuseToSign(`the route accepts ${route.threshold} atoms, but at least ${floor} are due`);
    }
    const fee = platformFee?.bps ?? 0;
    if (route.feeBps !== fee || (fee > 0 && route.feeAccount !== platformFee?.account)) {
      refuseToSign(`the route pays ${route.feeBps} bps to ${route.feeAccount}, not ${fee} bps`);
    }
    this.#checkReceiver(route.destination, route.handedOnTo);
    this.#routed = true;
    return true;
  }

  /**
   * The output goes into the account of the vault that the request names. If it names none, it goes into the wallet's, or as SOL
   * into the temporary one, which is then unwrapped to the wallet.
   */
  #checkReceiver(destination: Address | null, handedOnTo: Address | null): void {
    const receiver = handedOnTo ?? destination;
    if (receiver === null) refuseToSign('the account that is paid into is looked up in a table');
    if (handedOnTo !== null && destination === this.#request.account) {
      refuseToSign('the route pays through the account of the order');
    }
    const { account, outputAccount } = this.#request;
    if (outputAccount !== null) {
      if (receiver !== outputAccount || handedOnTo !== null) {
        refuseToSign(`the route pays into ${receiver}, not straight into ${outputAccount}`);
      }
      const isVaults = TOKEN_PROGRAMS.some(
        (program) => receiver === deriveOutputAccount(this.#vault, account, program),
      );
      if (!isVaults) refuseToSign(`${receiver} is not the account that the order of ${account} buys into`);
      return;
    }
    if (this.#walletAccounts.includes(receiver)) {
      this.#owesTemporary = false;
      return;
    }
    const isNative = this.#request.outputMint === WRAPPED_SOL_MINT && receiver === this.#temporary.address;
    if (!isNative || !this.#created.has(receiver)) {
      refuseToSign(`the route pays into ${receiver}, which is no account of ${this.#request.wallet}`);
    }
    this.#owesTemporary = true;
  }

  /** Empty accounts are closed in favour of the wallet that paid their rent. */
  #takesClosing(instruction: ReadInstruction): boolean {
    const { program, accounts, data } = instruction;
    // Lamports that somebody has sent to an account of wrapped SOL are sold with it, so that none are left when it is closed.
    if (!this.#routed && isSyncNative(data))
      return accounts.length === 1 && accounts[0] === this.#request.account;
    if (program === TOKEN_2022_PROGRAM && isHarvestOfWithheldFees(data)) {
      return !accounts.includes(this.#vault);
    }
    if (this.#isHandover(instruction)) return true;
    if (this.#isUnwrapping(instruction)) {
      this.#owesTemporary = false;
      return true;
    }
    const [account, destination] = accounts;
    if (!this.#routed || !isCloseAccount(data)) return false;
    if (account === undefined || account === null || destination === undefined || destination === null) {
      return false;
    }
    const expected = closeAccount(program, { account, destination, authority: this.#vault });
    return isSameInstruction(instruction, expected) && this.#mayClose(account, destination);
  }

  /** Whether the wallet becomes the owner of the order's account, with everything that is left in it. */
  #isHandover(instruction: ReadInstruction): boolean {
    const { account: of, wallet: next } = this.#request;
    const authority = Authority.ACCOUNT_OWNER;
    const expected = setAuthority(instruction.program, { of, authority, current: this.#vault, next });
    return this.#routed && isSameInstruction(instruction, expected);
  }

  /** Whether all SOL of the temporary account goes to the wallet, to which it is owed. */
  #isUnwrapping(instruction: ReadInstruction): boolean {
    const [account, destination] = [this.#temporary.address, this.#request.wallet];
    const expected = unwrapLamports(TOKEN_PROGRAM, { account, destination, owner: this.#vault });
    return this.#owesTemporary && isSameInstruction(instruction, expected);
  }

  #mayClose(account: Address, destination: Address): boolean {
    const { wallet, payer, inputMint } = this.#request;
    const toPayer = destination === payer;
    if (account === this.#request.account) {
      // Closing fails while tokens are left, except that it pays wrapped SOL out. What is not sold of it is the wallet's, or stays in
      // the vault, which pays back the rent alone.
      const isSol = isPaidOutOnClosing(inputMint);
      if (isSol && destination === this.#vault && !this.#closedOrder) this.#rentsOwed += 1;
      this.#closedOrder = true;
      if (destination === this.#vault) return isSol;
      return destination === wallet || (toPayer && !isSol);
    }
    if (!this.#created.delete(account)) return false;
    // Closing pays out what is not unwrapped, and the rent is the payer's.
    if (account === this.#temporary.address) return toPayer && !this.#owesTemporary;
    if (destination === this.#vault) this.#rentsOwed += 1;
    return toPayer || destination === this.#vault;
  }
}

/** Like `isSameInstruction`, for a program that itself checks the accounts that are looked up in tables. */
function isSameButLookedUp(instruction: ReadInstruction, expected: Instruction): boolean {
  const accounts = instruction.accounts.map((address, index) =>
    index > 1 ? (address ?? expected.accounts[index]?.address ?? null) : address,
  );
  return isSameInstruction({ ...instruction, accounts }, expected);
}
