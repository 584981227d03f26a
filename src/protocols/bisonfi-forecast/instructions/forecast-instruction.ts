import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { type AccountMeta, type Instruction, readonly } from '../../../solana/messages/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../solana/program-addresses.ts';
import { FORECAST_PROGRAM } from '../forecast-program.ts';

/** The discriminators of the instructions, in hex. */
export const FORECAST_TAGS = {
  setSchedules: 'a28e0ee6a7a7b1ec',
  withdraw: 'b712469c946da122',
  openRound: '42eb7bf00823b99f',
  swap: 'f8c69e91e17587c8',
  settle: 'af2ab957908366d4',
  void: '37824a18eb0e1003',
  payOut: '7a070e7747bca622',
  closeRound: '950e5158e6e2ea25',
} as const;

/** The programs that instructions name. */
export const FORECAST_CALLED_PROGRAMS = {
  token: readonly(TOKEN_PROGRAM),
  token2022: readonly(TOKEN_2022_PROGRAM),
  associatedToken: readonly(ASSOCIATED_TOKEN_PROGRAM),
  system: readonly(SYSTEM_PROGRAM),
} as const;

/** Begins the data of an instruction. */
export function startForecastData(tag: string): ByteWriter {
  return new ByteWriter().bytes(Buffer.from(tag, 'hex'));
}

/** Puts an instruction of the program together. */
export function createForecastInstruction(accounts: readonly AccountMeta[], data: ByteWriter): Instruction {
  return { programAddress: FORECAST_PROGRAM, accounts, data: data.finish() };
}
