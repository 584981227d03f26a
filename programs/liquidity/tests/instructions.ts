import { createHash } from 'node:crypto';
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
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import {
  AUTH_LIST,
  borrowPositionAddress,
  claimAddress,
  LIQUIDITY,
  LIQUIDITY_PROGRAM,
  rateModelAddress,
  reserveAddress,
  supplyPositionAddress,
} from './addresses.ts';

/** A token for which the liquidity program keeps a reserve. */
export interface Token {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

type Write = (to: ByteWriter) => ByteWriter;

/** Returns the discriminator of an Anchor program's instruction. */
export function tagOf(name: string): Uint8Array {
  return createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
}

function instruction(name: string, accounts: AccountMeta[], write: Write = (to) => to): Instruction {
  const data = write(new ByteWriter(128).bytes(tagOf(name))).finish();
  return { programAddress: LIQUIDITY_PROGRAM, accounts, data };
}

/** Returns the account in which the program keeps the tokens of a reserve. */
export function reserveVault({ mint, tokenProgram }: Token): Address {
  return deriveAssociatedTokenAddress(LIQUIDITY, mint, tokenProgram);
}

export function initLiquidity(signer: Address, authority: Address, revenueCollector: Address): Instruction {
  return instruction(
    'init_liquidity',
    [writableSigner(signer), writable(LIQUIDITY), writable(AUTH_LIST), readonly(SYSTEM_PROGRAM)],
    (to) => to.address(authority).address(revenueCollector),
  );
}

export function initTokenReserve(authority: Address, token: Token): Instruction {
  return instruction('init_token_reserve', [
    writableSigner(authority),
    readonly(LIQUIDITY),
    readonly(AUTH_LIST),
    readonly(token.mint),
    writable(reserveVault(token)),
    writable(rateModelAddress(token.mint)),
    writable(reserveAddress(token.mint)),
    readonly(token.tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ]);
}

export function initNewProtocol(
  authority: Address,
  supplyMint: Address,
  borrowMint: Address,
  protocol: Address,
): Instruction {
  return instruction(
    'init_new_protocol',
    [
      writableSigner(authority),
      readonly(AUTH_LIST),
      writable(supplyPositionAddress(supplyMint, protocol)),
      writable(borrowPositionAddress(borrowMint, protocol)),
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => to.address(supplyMint).address(borrowMint).address(protocol),
  );
}

function configureReserve(name: string, authority: Address, mint: Address, write: Write): Instruction {
  return instruction(
    name,
    [
      readonlySigner(authority),
      readonly(AUTH_LIST),
      writable(rateModelAddress(mint)),
      readonly(mint),
      writable(reserveAddress(mint)),
    ],
    write,
  );
}

export interface OneKinkRates {
  readonly kink: bigint;
  readonly atZero: bigint;
  readonly atKink: bigint;
  readonly atMax: bigint;
}

export function updateRateDataV1(authority: Address, mint: Address, rates: OneKinkRates): Instruction {
  return configureReserve('update_rate_data_v1', authority, mint, (to) =>
    to.u128(rates.kink).u128(rates.atZero).u128(rates.atKink).u128(rates.atMax),
  );
}

export interface TwoKinkRates {
  readonly kink1: bigint;
  readonly kink2: bigint;
  readonly atZero: bigint;
  readonly atKink1: bigint;
  readonly atKink2: bigint;
  readonly atMax: bigint;
}

export function updateRateDataV2(authority: Address, mint: Address, rates: TwoKinkRates): Instruction {
  return configureReserve('update_rate_data_v2', authority, mint, (to) =>
    to
      .u128(rates.kink1)
      .u128(rates.kink2)
      .u128(rates.atZero)
      .u128(rates.atKink1)
      .u128(rates.atKink2)
      .u128(rates.atMax),
  );
}

export function updateTokenConfig(
  authority: Address,
  mint: Address,
  fee: bigint,
  maxUtilization: bigint,
  named: Address = mint,
): Instruction {
  return configureReserve('update_token_config', authority, mint, (to) =>
    to.address(named).u128(fee).u128(maxUtilization),
  );
}

function configurePosition(
  name: string,
  authority: Address,
  protocol: Address,
  mint: Address,
  position: Address,
  write: Write,
): Instruction {
  return instruction(
    name,
    [
      readonlySigner(authority),
      readonly(protocol),
      readonly(AUTH_LIST),
      readonly(rateModelAddress(mint)),
      readonly(mint),
      writable(reserveAddress(mint)),
      writable(position),
    ],
    write,
  );
}

export interface SupplyConfig {
  /** 1 with interest, 0 without. */
  readonly mode: number;
  readonly expandPercent: bigint;
  readonly expandDuration: bigint;
  readonly baseWithdrawalLimit: bigint;
}

export function updateUserSupplyConfig(
  authority: Address,
  protocol: Address,
  mint: Address,
  config: SupplyConfig,
): Instruction {
  const position = supplyPositionAddress(mint, protocol);
  return configurePosition('update_user_supply_config', authority, protocol, mint, position, (to) =>
    to
      .u8(config.mode)
      .u128(config.expandPercent)
      .u128(config.expandDuration)
      .u128(config.baseWithdrawalLimit),
  );
}

export interface BorrowConfig {
  readonly mode: number;
  readonly expandPercent: bigint;
  readonly expandDuration: bigint;
  readonly baseDebtCeiling: bigint;
  readonly maxDebtCeiling: bigint;
}

export function updateUserBorrowConfig(
  authority: Address,
  protocol: Address,
  mint: Address,
  config: BorrowConfig,
): Instruction {
  const position = borrowPositionAddress(mint, protocol);
  return configurePosition('update_user_borrow_config', authority, protocol, mint, position, (to) =>
    to
      .u8(config.mode)
      .u128(config.expandPercent)
      .u128(config.expandDuration)
      .u128(config.baseDebtCeiling)
      .u128(config.maxDebtCeiling),
  );
}

export function updateUserWithdrawalLimit(
  authority: Address,
  protocol: Address,
  mint: Address,
  limit: bigint,
): Instruction {
  return instruction(
    'update_user_withdrawal_limit',
    [readonlySigner(authority), readonly(AUTH_LIST), writable(supplyPositionAddress(mint, protocol))],
    (to) => to.u128(limit).address(protocol).address(mint),
  );
}

export type UserClasses = readonly (readonly [user: Address, userClass: number])[];

export function updateUserClass(authority: Address, classes: UserClasses): Instruction {
  return instruction('update_user_class', [readonlySigner(authority), writable(AUTH_LIST)], (to) => {
    to.u32(classes.length);
    for (const [user, userClass] of classes) to.address(user).u8(userClass);
    return to;
  });
}

export type Members = readonly (readonly [user: Address, member: boolean])[];

function updateMembers(name: string, authority: Address, members: Members): Instruction {
  return instruction(name, [readonlySigner(authority), readonly(LIQUIDITY), writable(AUTH_LIST)], (to) => {
    to.u32(members.length);
    for (const [user, member] of members) to.address(user).bool(member);
    return to;
  });
}

export function updateAuths(authority: Address, members: Members): Instruction {
  return updateMembers('update_auths', authority, members);
}

export function updateGuardians(authority: Address, members: Members): Instruction {
  return updateMembers('update_guardians', authority, members);
}

export function updateAuthority(authority: Address, newAuthority: Address): Instruction {
  return instruction(
    'update_authority',
    [readonlySigner(authority), writable(LIQUIDITY), writable(AUTH_LIST)],
    (to) => to.address(newAuthority),
  );
}

export function updateRevenueCollector(authority: Address, collector: Address): Instruction {
  return instruction('update_revenue_collector', [readonlySigner(authority), writable(LIQUIDITY)], (to) =>
    to.address(collector),
  );
}

export function changeStatus(authority: Address, paused: boolean): Instruction {
  return instruction(
    'change_status',
    [readonlySigner(authority), writable(LIQUIDITY), readonly(AUTH_LIST)],
    (to) => to.bool(paused),
  );
}

/** The positions of a protocol that are paused or resumed. */
export interface PauseTarget {
  readonly protocol: Address;
  readonly supplyMint: Address;
  readonly borrowMint: Address;
  readonly supplyStatus: number | null;
  readonly borrowStatus: number | null;
}

function setPause(name: string, authority: Address, target: PauseTarget): Instruction {
  const { protocol, supplyMint, borrowMint, supplyStatus, borrowStatus } = target;
  return instruction(
    name,
    [
      readonlySigner(authority),
      readonly(AUTH_LIST),
      writable(supplyPositionAddress(supplyMint, protocol)),
      writable(borrowPositionAddress(borrowMint, protocol)),
    ],
    (to) => {
      to.address(protocol).address(supplyMint).address(borrowMint);
      return optionalU8(optionalU8(to, supplyStatus), borrowStatus);
    },
  );
}

function optionalU8(to: ByteWriter, value: number | null): ByteWriter {
  return value === null ? to.u8(0) : to.u8(1).u8(value);
}

export function pauseUser(authority: Address, target: PauseTarget): Instruction {
  return setPause('pause_user', authority, target);
}

export function unpauseUser(authority: Address, target: PauseTarget): Instruction {
  return setPause('unpause_user', authority, target);
}

export function updateExchangePrice(mint: Address): Instruction {
  return instruction(
    'update_exchange_price',
    [writable(reserveAddress(mint)), readonly(rateModelAddress(mint))],
    (to) => to.address(mint),
  );
}

export function initClaimAccount(signer: Address, mint: Address, user: Address): Instruction {
  return instruction(
    'init_claim_account',
    [writableSigner(signer), writable(claimAddress(user, mint)), readonly(SYSTEM_PROGRAM)],
    (to) => to.address(mint).address(user),
  );
}

export function closeClaimAccount(user: Address, mint: Address): Instruction {
  return instruction(
    'close_claim_account',
    [writableSigner(user), writable(claimAddress(user, mint)), readonly(SYSTEM_PROGRAM)],
    (to) => to.address(mint),
  );
}

export function claim(user: Address, token: Token, recipient: Address): Instruction {
  return instruction(
    'claim',
    [
      readonlySigner(user),
      readonly(LIQUIDITY),
      writable(reserveAddress(token.mint)),
      readonly(token.mint),
      writable(deriveAssociatedTokenAddress(recipient, token.mint, token.tokenProgram)),
      writable(reserveVault(token)),
      writable(claimAddress(user, token.mint)),
      readonly(token.tokenProgram),
    ],
    (to) => to.address(recipient),
  );
}

export function collectRevenue(authority: Address, token: Token, collector: Address): Instruction {
  return instruction('collect_revenue', [
    writableSigner(authority),
    readonly(LIQUIDITY),
    readonly(AUTH_LIST),
    readonly(token.mint),
    writable(deriveAssociatedTokenAddress(collector, token.mint, token.tokenProgram)),
    readonly(collector),
    writable(reserveAddress(token.mint)),
    writable(reserveVault(token)),
    readonly(token.tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ]);
}

/** Returns an optional account: the account itself, or the program's own address if it is absent. */
function optional(present: boolean, account: AccountMeta): AccountMeta {
  return present ? account : readonly(LIQUIDITY_PROGRAM);
}

/** The positions of the protocol that an instruction names. */
export interface Positions {
  readonly supply: boolean;
  readonly borrow: boolean;
}

export function preOperate(protocol: Address, token: Token, positions: Positions): Instruction {
  const { mint } = token;
  return instruction(
    'pre_operate',
    [
      readonlySigner(protocol),
      readonly(LIQUIDITY),
      optional(positions.supply, readonly(supplyPositionAddress(mint, protocol))),
      optional(positions.borrow, readonly(borrowPositionAddress(mint, protocol))),
      readonly(reserveVault(token)),
      writable(reserveAddress(mint)),
      readonly(token.tokenProgram),
    ],
    (to) => to.address(mint),
  );
}

export interface Operation extends Positions {
  readonly supplyAmount: bigint;
  readonly borrowAmount: bigint;
  readonly withdrawTo: Address;
  readonly borrowTo: Address;
  readonly transferType: number;
  /** The optional accounts that are given for outgoing tokens. */
  readonly accounts: {
    readonly withdrawTo: boolean;
    readonly borrowTo: boolean;
    readonly withdrawClaim: boolean;
    readonly borrowClaim: boolean;
  };
}

export function operate(protocol: Address, token: Token, operation: Operation): Instruction {
  const { mint, tokenProgram } = token;
  const { withdrawTo, borrowTo, accounts } = operation;
  return instruction(
    'operate',
    [
      readonlySigner(protocol),
      readonly(LIQUIDITY),
      writable(reserveAddress(mint)),
      readonly(mint),
      writable(reserveVault(token)),
      optional(operation.supply, writable(supplyPositionAddress(mint, protocol))),
      optional(operation.borrow, writable(borrowPositionAddress(mint, protocol))),
      readonly(rateModelAddress(mint)),
      optional(accounts.withdrawTo, writable(deriveAssociatedTokenAddress(withdrawTo, mint, tokenProgram))),
      optional(accounts.borrowTo, writable(deriveAssociatedTokenAddress(borrowTo, mint, tokenProgram))),
      optional(accounts.borrowClaim, writable(claimAddress(borrowTo, mint))),
      optional(accounts.withdrawClaim, writable(claimAddress(withdrawTo, mint))),
      readonly(tokenProgram),
    ],
    (to) =>
      to
        .i128(operation.supplyAmount)
        .i128(operation.borrowAmount)
        .address(withdrawTo)
        .address(borrowTo)
        .u8(operation.transferType),
  );
}
