import { createHash } from 'node:crypto';
import { routeV2 } from '../../market/aggregator/route-v2.ts';
import { createTokenAccount } from '../../market/aggregator/token-accounts.ts';
import type { RoutePlanStep } from '../../market/aggregator/route-plan.ts';
import { Swap } from '../../protocol/venue/aggregator-step.ts';
import { type Address, address, toAddress, toAddressBytes } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../solana/programs/compute-budget.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import {
  closeAccount,
  initializeAccount,
  syncNative,
  transferChecked,
  unwrapLamports,
} from '../../solana/programs/token/instructions.ts';
import { deriveTemporaryAccount } from '../../swaps/build/token-flow.ts';
import { computeOutputSeed, deriveOutputAccount } from '../../custody/checks/output-account.ts';
import { addLastAccount } from '../../custody/checks/checked-message.ts';

/** An address that follows from a name. */
export function nameAddress(name: string): Address {
  return toAddress(createHash('sha256').update(name).digest());
}

export const USDC: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const WALLET: Address = nameAddress('wallet');
export const PAYER: Address = nameAddress('payer');
export const AMOUNT = 10_000_000n;
const SEED = '0123456789abcdef0123456789abcdef';
const BLOCKHASH = new Uint8Array(32).fill(7);
const RENT = 2_039_280n;

/** The keys that sign with the wallet. */
export interface TestSigners {
  readonly vault: Address;
  readonly coSigner: Address;
}

/** The account that a deposit of the vault creates. */
export function deriveOrderAccount(vault: Address): Address {
  return toAddress(
    sha256(Buffer.concat([toAddressBytes(vault), Buffer.from(SEED), toAddressBytes(TOKEN_PROGRAM)])),
  );
}

/** The account that a deposit creates for what an order buys and sells again. */
export function deriveBoughtAccount(vault: Address): Address {
  return deriveOutputAccount(vault, deriveOrderAccount(vault), TOKEN_PROGRAM);
}

/** The instructions of a deposit in the recorded form. */
export function listDepositInstructions(
  { vault, coSigner }: TestSigners,
  mint = USDC,
  boughtMint: Address | null = null,
): readonly Instruction[] {
  const account = deriveOrderAccount(vault);
  const wrap = { payer: WALLET, mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM };
  const source = deriveAssociatedTokenAddress(WALLET, mint, TOKEN_PROGRAM);
  const wraps =
    mint === WRAPPED_SOL_MINT
      ? [transferLamports(WALLET, source, AMOUNT), syncNative(TOKEN_PROGRAM, source)]
      : [];
  const transfer = { source, mint, destination: account, authority: WALLET, amount: AMOUNT, decimals: 6 };
  return [
    setComputeUnitLimit(90_000),
    setComputeUnitPrice(377_694n),
    createAssociatedTokenIdempotent({ ...wrap, owner: WALLET }),
    createAssociatedTokenIdempotent({ ...wrap, owner: vault }),
    ...wraps,
    createWithSeed(vault, account, SEED),
    initializeAccount(TOKEN_PROGRAM, { account, mint, owner: vault }),
    ...(boughtMint === null ? [] : openBought(vault, boughtMint)),
    addLastAccount(transferChecked(TOKEN_PROGRAM, transfer), coSigner),
  ];
}

function openBought(vault: Address, mint: Address): readonly Instruction[] {
  const account = deriveBoughtAccount(vault);
  return [
    createWithSeed(vault, account, computeOutputSeed(deriveOrderAccount(vault))),
    initializeAccount(TOKEN_PROGRAM, { account, mint, owner: vault }),
  ];
}

/** Creates an account of an order, which the wallet pays. */
export function createWithSeed(vault: Address, account: Address, seed = SEED): Instruction {
  const data = new ByteWriter().u32(3).address(vault).u64(BigInt(seed.length)).bytes(Buffer.from(seed));
  data.u64(RENT).u64(165n).address(TOKEN_PROGRAM);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [writableSigner(WALLET), writable(account), readonlySigner(vault)],
    data: data.finish(),
  };
}

/** The instructions of a withdrawal in the recorded form. */
export function listWithdrawalInstructions(
  { vault, coSigner }: TestSigners,
  mint = USDC,
  account = deriveOrderAccount(vault),
): readonly Instruction[] {
  const destination = deriveAssociatedTokenAddress(WALLET, mint, TOKEN_PROGRAM);
  const transfer = { source: account, mint, destination, authority: vault, amount: AMOUNT, decimals: 6 };
  const closing = closeAccount(TOKEN_PROGRAM, { account, destination: WALLET, authority: vault });
  const budget = [setComputeUnitLimit(592), setComputeUnitPrice(250_000n)];
  if (mint === WRAPPED_SOL_MINT) return [...budget, addLastAccount(closing, coSigner)];
  return [
    ...budget,
    createAssociatedTokenIdempotent({ payer: WALLET, owner: WALLET, mint, tokenProgram: TOKEN_PROGRAM }),
    addLastAccount(transferChecked(TOKEN_PROGRAM, transfer), coSigner),
    closing,
  ];
}

/**
 * The instructions of a fill with one hop: USDC over another mint to `outputMint`.
 * @param outputAccount - The account of the vault that is paid into; null pays the wallet.
 */
export function listFillInstructions(
  vault: Address,
  outputMint: Address,
  outputAccount: Address | null = null,
): readonly Instruction[] {
  const account = deriveOrderAccount(vault);
  const isSol = outputMint === WRAPPED_SOL_MINT;
  const mint = isSol ? nameAddress('mint between') : WRAPPED_SOL_MINT;
  const through = deriveAssociatedTokenAddress(vault, mint, TOKEN_PROGRAM);
  const { destination, opening, unwrapping } = describeOutput(vault, outputMint, outputAccount);
  const steps: readonly RoutePlanStep[] = [
    { ...createStep(vault, account, through, 'first'), bps: 10_000, inputIndex: 0, outputIndex: 1 },
    { ...createStep(vault, through, destination, 'second'), bps: 10_000, inputIndex: 1, outputIndex: 2 },
  ];
  const creation = { payer: PAYER, tokenProgram: TOKEN_PROGRAM };
  return [
    setComputeUnitLimit(200_000),
    setComputeUnitPrice(1_000n),
    createAssociatedTokenIdempotent({ ...creation, owner: vault, mint }),
    ...opening,
    routeV2(
      { inAmount: AMOUNT, quotedOutAmount: 1_000n, slippageBps: 100, steps },
      {
        userTransferAuthority: vault,
        userSourceTokenAccount: account,
        userDestinationTokenAccount: destination,
        sourceMint: USDC,
        destinationMint: outputMint,
        sourceTokenProgram: TOKEN_PROGRAM,
        destinationTokenProgram: TOKEN_PROGRAM,
      },
    ),
    ...unwrapping,
    closeAccount(TOKEN_PROGRAM, { account: through, destination: PAYER, authority: vault }),
    closeAccount(TOKEN_PROGRAM, { account, destination: WALLET, authority: vault }),
  ];
}

/** Where a fill pays, and what opens and empties the account that SOL comes through. */
function describeOutput(vault: Address, mint: Address, outputAccount: Address | null) {
  if (outputAccount !== null) return { destination: outputAccount, opening: [], unwrapping: [] };
  if (mint !== WRAPPED_SOL_MINT) {
    const create = { payer: PAYER, tokenProgram: TOKEN_PROGRAM, owner: WALLET, mint };
    const destination = deriveAssociatedTokenAddress(WALLET, mint, TOKEN_PROGRAM);
    return { destination, opening: [createAssociatedTokenIdempotent(create)], unwrapping: [] };
  }
  const { account, bump } = deriveTemporaryAccount(vault);
  const create = { tokenAccount: account, bump, user: vault, mint, tokenProgram: TOKEN_PROGRAM };
  return {
    destination: account,
    opening: [transferLamports(PAYER, account, RENT), createTokenAccount(create)],
    unwrapping: [
      unwrapLamports(TOKEN_PROGRAM, { account, destination: WALLET, owner: vault }),
      closeAccount(TOKEN_PROGRAM, { account, destination: PAYER, authority: vault }),
    ],
  };
}

const CPMM = address('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C');

/** A step in a pool of Raydium's constant product, in the order of the aggregator's interface. */
function createStep(
  vault: Address,
  input: Address,
  output: Address,
  name: string,
): Pick<RoutePlanStep, 'step'> {
  const pool = (part: string) => nameAddress(`${name} ${part}`);
  const accounts = [
    readonly(CPMM),
    readonlySigner(vault),
    readonly(pool('authority')),
    readonly(pool('config')),
    writable(pool('pool')),
    writable(input),
    writable(output),
    writable(pool('input vault')),
    writable(pool('output vault')),
    readonly(TOKEN_PROGRAM),
    readonly(TOKEN_PROGRAM),
    readonly(pool('input mint')),
    readonly(pool('output mint')),
    writable(pool('observation')),
  ];
  return { step: { swap: Swap.raydiumCp, accounts } };
}

/** Compiles a message of deposits and withdrawals. */
export function compileLegacy(instructions: readonly Instruction[], feePayer = WALLET): Uint8Array {
  return compileMessage({ feePayer, blockhash: BLOCKHASH, instructions, version: 'legacy' });
}

/** Compiles a message of fills. */
export function compileFill(
  instructions: readonly Instruction[],
  lookupTables: Readonly<Record<Address, readonly Address[]>> | null = null,
): Uint8Array {
  return compileMessage({ feePayer: PAYER, blockhash: BLOCKHASH, instructions, lookupTables });
}
