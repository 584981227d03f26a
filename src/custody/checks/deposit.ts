import { ADDRESS_BYTES, type Address, toAddress, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import {
  isTokenProgram,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { findTransferredLamports, transferLamports } from '../../solana/programs/system.ts';
import {
  initializeAccount,
  initializeImmutableOwner,
  syncNative,
  transferChecked,
} from '../../solana/programs/token/instructions.ts';
import {
  addLastAccount,
  checkForm,
  describeInstruction,
  isComputeBudget,
  isSameInstruction,
  type ReadInstruction,
  readMessageToSign,
  refuseInvalid,
  refuseToSign,
} from './checked-message.ts';
import type { DepositToSign, SigningAddresses } from './message-to-sign.ts';
import { readDecimals } from './token-data.ts';

/** An instruction that a deposit must have, and the token account of the vault that it is about. */
interface DepositStep {
  readonly does: 'create' | 'initialize' | 'transfer';
  readonly account: Address;
  readonly mint: Address;
}

/** Returns the instructions that a deposit must have, in this order, after those that prepare the wallet's own accounts. */
function listSteps({ account, mint, outputAccount, outputMint }: DepositToSign): readonly DepositStep[] {
  const open = (opened: Address, of: Address): readonly DepositStep[] => [
    { does: 'create', account: opened, mint: of },
    { does: 'initialize', account: opened, mint: of },
  ];
  return [
    ...open(account, mint),
    ...(outputAccount === null ? [] : open(outputAccount, outputMint)),
    { does: 'transfer', account, mint },
  ];
}

/**
 * Checks that a deposit creates the accounts of the vault, pays exactly the amount into the first of them out of the wallet's
 * associated account, and does nothing else that needs a signature of ours.
 *
 * @throws SigningRefused when it does anything else
 */
export function checkDeposit(request: DepositToSign, { vault, coSigner }: SigningAddresses): void {
  const { wallet } = request;
  const message = readMessageToSign(request.messageBytes);
  checkForm(message, wallet, [vault, coSigner]);
  const steps = listSteps(request);
  let done = 0;
  let tokenProgram: Address | null = null;
  let inputProgram: Address | null = null;
  for (const [index, instruction] of message.instructions.entries()) {
    if (isComputeBudget(instruction)) continue;
    if (done === 0 && preparesWallet(instruction, request, vault)) continue;
    const step = steps[done];
    if (step === undefined) refuseToSign(describeFurther(index, instruction));
    if (isImmutableOwner(instruction, step)) continue;
    if (step.does === 'create') {
      tokenProgram = readSeededCreation(instruction, step.account, request.wallet, vault);
      inputProgram ??= tokenProgram;
    } else {
      const program = step.does === 'transfer' ? inputProgram : tokenProgram;
      if (program === null) refuseToSign(describeFurther(index, instruction));
      checkStep(step, instruction, request, { vault, coSigner, tokenProgram: program, index });
    }
    done += 1;
  }
  const missing = steps[done];
  if (missing !== undefined) refuseToSign(`the deposit does not ${missing.does} the account of the vault`);
}

function describeFurther(index: number, instruction: ReadInstruction): string {
  return `${describeInstruction(index, instruction)} comes after the transfer of the deposit`;
}

/** Whether an instruction only opens, or fills with SOL, associated accounts at the wallet's cost. */
function preparesWallet(
  instruction: ReadInstruction,
  { wallet, mint, outputMint }: DepositToSign,
  vault: Address,
): boolean {
  const opened = [
    ...[wallet, vault].flatMap((owner) => listAssociatedMints(mint).map((each) => [owner, ...each] as const)),
    ...listAssociatedMints(outputMint).map((each) => [wallet, ...each] as const),
  ];
  for (const [owner, each, tokenProgram] of opened) {
    const setup = { payer: wallet, owner, mint: each, tokenProgram };
    if (isSameInstruction(instruction, createAssociatedTokenIdempotent(setup))) return true;
  }
  const wrapped = deriveAssociatedTokenAddress(wallet, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
  if (isSameInstruction(instruction, syncNative(TOKEN_PROGRAM, wrapped))) return true;
  const lamports = instruction.program === SYSTEM_PROGRAM ? findTransferredLamports(instruction.data) : null;
  return lamports !== null && isSameInstruction(instruction, transferLamports(wallet, wrapped, lamports));
}

function listAssociatedMints(mint: Address): readonly (readonly [Address, Address])[] {
  return [
    [WRAPPED_SOL_MINT, TOKEN_PROGRAM],
    [mint, TOKEN_PROGRAM],
    [mint, TOKEN_2022_PROGRAM],
  ];
}

/** Whether an instruction gives the new account the extension that an account of Token-2022 may have from the beginning. */
function isImmutableOwner(instruction: ReadInstruction, { does, account }: DepositStep): boolean {
  if (does !== 'initialize') return false;
  return isSameInstruction(instruction, initializeImmutableOwner(TOKEN_2022_PROGRAM, account));
}

const CREATE_ACCOUNT_WITH_SEED = 3;
const MAX_SEED_BYTES = 32;
/** No account of Token-2022 has nearly as many bytes. */
const MAX_SPACE = 4_096n;

/**
 * Reads the creation of the order's account, which the wallet pays, with a seed of the vault.
 *
 * Returns the token program that owns the new account.
 * @throws SigningRefused when the instruction creates anything else
 */
export function readSeededCreation(
  { program, accounts, data }: ReadInstruction,
  account: Address,
  wallet: Address,
  vault: Address,
): Address {
  if (program !== SYSTEM_PROGRAM) refuseToSign(`the system program must create ${account}, got ${program}`);
  const [payer, created, base] = accounts;
  if (accounts.length !== 3 || payer !== wallet || created !== account || base !== vault) {
    refuseToSign(`${account} must be created by ${wallet} with ${vault} as its base`);
  }
  return refuseInvalid(() => {
    const reader = new ByteReader(data, 'creation of an account with a seed');
    if (reader.u32() !== CREATE_ACCOUNT_WITH_SEED) reader.fail('it is another instruction');
    if (reader.address() !== vault) reader.fail(`its base is not the vault ${vault}`);
    const length = reader.u64();
    if (length > MAX_SEED_BYTES) reader.fail(`its seed has ${length} bytes`);
    const seed = reader.bytes(Number(length));
    reader.u64();
    const space = reader.u64();
    if (space > MAX_SPACE) reader.fail(`the account has ${space} bytes`);
    const owner = reader.address();
    reader.end();
    if (!isTokenProgram(owner)) reader.fail(`it belongs to ${owner}, which is no token program`);
    const preimage = Buffer.concat([toAddressBytes(vault), seed, toAddressBytes(owner)]);
    if (preimage.length > 2 * ADDRESS_BYTES + MAX_SEED_BYTES || toAddress(sha256(preimage)) !== account) {
      reader.fail(`its seed does not lead to ${account}`);
    }
    return owner;
  });
}

interface StepParties extends SigningAddresses {
  readonly tokenProgram: Address;
  readonly index: number;
}

function checkStep(
  { does, account, mint }: DepositStep,
  instruction: ReadInstruction,
  { wallet, amount }: DepositToSign,
  { vault, coSigner, tokenProgram, index }: StepParties,
): void {
  const source = deriveAssociatedTokenAddress(wallet, mint, tokenProgram);
  const decimals = readDecimals(instruction.data);
  const transfer = { source, mint, destination: account, authority: wallet, amount, decimals };
  const expected =
    does === 'initialize'
      ? initializeAccount(tokenProgram, { account, mint, owner: vault })
      : addLastAccount(transferChecked(tokenProgram, transfer), coSigner);
  if (isSameInstruction(instruction, expected)) return;
  refuseToSign(`${describeInstruction(index, instruction)} does not ${does} as the deposit must`);
}
