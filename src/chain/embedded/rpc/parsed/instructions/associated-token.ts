import { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { nameAccounts, type ParsedInstruction, type PlainInstruction } from './instruction.ts';

const CREATE = 0;
const CREATE_IDEMPOTENT = 1;
const RECOVER_NESTED = 2;

/** Parses the instructions of the associated-token program: one byte, or none for `create`. */
export function parseAssociatedToken(instruction: PlainInstruction): ParsedInstruction {
  const reader = new ByteReader(instruction.data, 'associated token instruction');
  const kind = reader.remaining === 0 ? CREATE : reader.u8();
  reader.end();
  switch (kind) {
    case CREATE:
      return { type: 'create', info: created(instruction) };
    case CREATE_IDEMPOTENT:
      return { type: 'createIdempotent', info: created(instruction) };
    case RECOVER_NESTED:
      return { type: 'recoverNested', info: recovered(instruction) };
    default:
      return reader.fail(`unknown kind ${kind}`);
  }
}

function created(instruction: PlainInstruction) {
  return nameAccounts(instruction, 'source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram');
}

function recovered(instruction: PlainInstruction) {
  const owner = ['nestedSource', 'nestedMint', 'destination', 'nestedOwner', 'ownerMint'];
  return nameAccounts(instruction, ...owner, 'wallet', 'tokenProgram');
}
