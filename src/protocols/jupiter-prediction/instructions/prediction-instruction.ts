import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { type AccountMeta, type Instruction, readonly } from '../../../solana/messages/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../solana/program-addresses.ts';
import { JUPUSD_MINT, PREDICTION_PROGRAM, PREDICTION_VAULT } from '../prediction-program.ts';

/** The discriminators of the instructions that the stand-in carries out, in hex. */
export const PREDICTION_TAGS = {
  createOrder: '8d3625cfedd2fad7',
  cancelOrder: '5f81edf00831df84',
  fillBuyOrder: 'b3c9dd165b10d004',
  fillSellOrder: 'fba919470d78147e',
  closeOrder: '5a67d11c073fa804',
  claimPayout: '7ff0843ee3c69285',
  claimPayout2: '8dcd63cb8ee757e2',
  claimRefund: '0f101ea1ffe4613c',
  closeLostPosition: 'eb9dbf82e3d668b2',
  closePosition: '7b86510031446262',
  createMarketResult: '3327da09445e8873',
  initializeVault: '30bfa32c47813fa4',
  setVaultConfig: '4105f888303aebe7',
  disableDeposits: 'd60d67f84257a4c8',
  disableWithdrawals: '9688ce78ade689d1',
  withdraw: 'b712469c946da122',
} as const;

/** The vault, where an instruction only reads it. */
export const READONLY_PREDICTION_VAULT: AccountMeta = readonly(PREDICTION_VAULT.address);

/** The settlement mint, as instructions name it. */
export const PREDICTION_MINT_ACCOUNT: AccountMeta = readonly(JUPUSD_MINT);

/** The programs that instructions name. */
export const PREDICTION_CALLED_PROGRAMS = {
  token: readonly(TOKEN_PROGRAM),
  associatedToken: readonly(ASSOCIATED_TOKEN_PROGRAM),
  system: readonly(SYSTEM_PROGRAM),
} as const;

/** Begins the data of an instruction. */
export function startPredictionData(tag: string): ByteWriter {
  return new ByteWriter().bytes(Buffer.from(tag, 'hex'));
}

/** Puts an instruction of the program together. */
export function createPredictionInstruction(accounts: readonly AccountMeta[], data: ByteWriter): Instruction {
  return { programAddress: PREDICTION_PROGRAM, accounts, data: data.finish() };
}

/** An order as its instructions need it. */
export interface NamedPredictionOrder {
  readonly owner: Address;
  readonly marketIdHash: string;
  readonly isYes: boolean;
  readonly externalOrderId: string;
}

/** A position as its instructions need it. */
export interface NamedPredictionPosition {
  readonly owner: Address;
  readonly marketIdHash: string;
  readonly isYes: boolean;
}
