import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  SYSVAR_RENT,
} from '../../../src/solana/program-addresses.ts';
import { rewardsAddress } from '../../lending-reward-rate-model/tests/instructions.ts';
import {
  claimAddress,
  LIQUIDITY,
  LIQUIDITY_PROGRAM,
  rateModelAddress,
  reserveAddress,
  supplyPositionAddress,
} from '../../liquidity/tests/addresses.ts';
import { type Members, reserveVault, type Token, tagOf } from '../../liquidity/tests/instructions.ts';
import {
  LENDING_ADMIN,
  deriveLendingAddress,
  deriveReceiptMintAddress,
} from '../../../src/protocols/jupiter-lend/lending/addresses.ts';
import { LENDING_PROGRAM } from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import {
  TOKEN_METADATA_PROGRAM,
  deriveMetadataAddress,
} from '../../../src/solana/programs/token-metadata/program.ts';

type Write = (to: ByteWriter) => ByteWriter;

function instruction(name: string, accounts: AccountMeta[], write: Write = (to) => to): Instruction {
  const data = write(new ByteWriter(128).bytes(tagOf(name))).finish();
  return { programAddress: LENDING_PROGRAM, accounts, data };
}

export function initLendingAdmin(signer: Address, rebalancer: Address, authority: Address): Instruction {
  return instruction(
    'init_lending_admin',
    [writableSigner(signer), writable(LENDING_ADMIN.address), readonly(SYSTEM_PROGRAM)],
    (to) => to.address(LIQUIDITY_PROGRAM).address(rebalancer).address(authority),
  );
}

export function initLending(signer: Address, { mint, tokenProgram }: Token, symbol: string): Instruction {
  const text = Buffer.from(symbol);
  return instruction(
    'init_lending',
    [
      writableSigner(signer),
      writable(LENDING_ADMIN.address),
      readonly(mint),
      writable(deriveReceiptMintAddress(mint)),
      writable(deriveMetadataAddress(deriveReceiptMintAddress(mint))),
      writable(deriveLendingAddress(mint).address),
      readonly(reserveAddress(mint)),
      readonly(tokenProgram),
      readonly(SYSTEM_PROGRAM),
      readonly(SYSVAR_INSTRUCTIONS),
      readonly(TOKEN_METADATA_PROGRAM),
      readonly(SYSVAR_RENT),
    ],
    (to) => to.u32(text.length).bytes(text).address(LIQUIDITY_PROGRAM),
  );
}

export function setRewardsRateModel(
  signer: Address,
  mint: Address,
  rewards = rewardsAddress(mint),
): Instruction {
  return instruction(
    'set_rewards_rate_model',
    [
      readonlySigner(signer),
      readonly(LENDING_ADMIN.address),
      writable(deriveLendingAddress(mint).address),
      readonly(deriveReceiptMintAddress(mint)),
      readonly(rewards),
      readonly(reserveAddress(mint)),
    ],
    (to) => to.address(mint),
  );
}

export function updateLendingAuths(signer: Address, members: Members): Instruction {
  return instruction('update_auths', [readonlySigner(signer), writable(LENDING_ADMIN.address)], (to) => {
    to.u32(members.length);
    for (const [user, member] of members) to.address(user).bool(member);
    return to;
  });
}

export function updateRebalancer(signer: Address, rebalancer: Address): Instruction {
  return instruction('update_rebalancer', [readonlySigner(signer), writable(LENDING_ADMIN.address)], (to) =>
    to.address(rebalancer),
  );
}

export function updateRate(mint: Address): Instruction {
  return instruction('update_rate', [
    writable(deriveLendingAddress(mint).address),
    readonly(mint),
    readonly(deriveReceiptMintAddress(mint)),
    readonly(reserveAddress(mint)),
    readonly(rewardsAddress(mint)),
  ]);
}

export function rebalance(signer: Address, token: Token): Instruction {
  const { mint, tokenProgram } = token;
  return instruction('rebalance', [
    writableSigner(signer),
    writable(deriveAssociatedTokenAddress(signer, mint, tokenProgram)),
    readonly(LENDING_ADMIN.address),
    writable(deriveLendingAddress(mint).address),
    readonly(mint),
    writable(deriveReceiptMintAddress(mint)),
    writable(reserveAddress(mint)),
    writable(supplyPositionAddress(mint, deriveLendingAddress(mint).address)),
    writable(rateModelAddress(mint)),
    writable(reserveVault(token)),
    writable(LIQUIDITY),
    readonly(LIQUIDITY_PROGRAM),
    readonly(rewardsAddress(mint)),
    readonly(tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ]);
}

export const DEPOSITS = ['deposit', 'mint', 'deposit_with_min_amount_out', 'mint_with_max_assets'] as const;
export const WITHDRAWALS = [
  'withdraw',
  'redeem',
  'withdraw_with_max_shares_burn',
  'redeem_with_min_amount_out',
] as const;

/** The owners of the tokens: the signer pays, the recipient receives. */
export interface Parties {
  readonly signer: Address;
  readonly recipient: Address;
}

/** Deposits or mints; `numbers` are the instruction's one or two arguments. */
export function deposit(
  name: (typeof DEPOSITS)[number],
  { signer, recipient }: Parties,
  token: Token,
  numbers: readonly bigint[],
): Instruction {
  const { mint, tokenProgram } = token;
  return instruction(
    name,
    [
      writableSigner(signer),
      writable(deriveAssociatedTokenAddress(signer, mint, tokenProgram)),
      writable(deriveAssociatedTokenAddress(recipient, deriveReceiptMintAddress(mint), tokenProgram)),
      readonly(mint),
      readonly(LENDING_ADMIN.address),
      writable(deriveLendingAddress(mint).address),
      writable(deriveReceiptMintAddress(mint)),
      writable(reserveAddress(mint)),
      writable(supplyPositionAddress(mint, deriveLendingAddress(mint).address)),
      readonly(rateModelAddress(mint)),
      writable(reserveVault(token)),
      writable(LIQUIDITY),
      readonly(LIQUIDITY_PROGRAM),
      readonly(rewardsAddress(mint)),
      readonly(tokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => numbers.reduce((writer, number) => writer.u64(number), to),
  );
}

/** Withdraws or redeems. */
export function withdraw(
  name: (typeof WITHDRAWALS)[number],
  { signer, recipient }: Parties,
  token: Token,
  numbers: readonly bigint[],
): Instruction {
  const { mint, tokenProgram } = token;
  return instruction(
    name,
    [
      writableSigner(signer),
      writable(deriveAssociatedTokenAddress(signer, deriveReceiptMintAddress(mint), tokenProgram)),
      writable(deriveAssociatedTokenAddress(recipient, mint, tokenProgram)),
      readonly(LENDING_ADMIN.address),
      writable(deriveLendingAddress(mint).address),
      readonly(mint),
      writable(deriveReceiptMintAddress(mint)),
      writable(reserveAddress(mint)),
      writable(supplyPositionAddress(mint, deriveLendingAddress(mint).address)),
      readonly(rateModelAddress(mint)),
      writable(reserveVault(token)),
      writable(claimAddress(deriveLendingAddress(mint).address, mint)),
      writable(LIQUIDITY),
      readonly(LIQUIDITY_PROGRAM),
      readonly(rewardsAddress(mint)),
      readonly(tokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => numbers.reduce((writer, number) => writer.u64(number), to),
  );
}
