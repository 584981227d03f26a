import type { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { toUiTokenAmount } from '../../../../../solana/programs/token/display-amount.ts';
import {
  createAuthorityNames,
  nameAccounts,
  nameAccountsWithAuthority,
  readTaggedAddress,
  type ParsedInstruction,
  type PlainInstruction,
} from './instruction.ts';

type TransferFeeParser = (instruction: PlainInstruction, reader: ByteReader) => ParsedInstruction;

const WITHDRAW_AUTHORITY = createAuthorityNames('withdrawWithheldAuthority');

/** Parses the instructions of the transfer-fee extension. The kind is the second byte. */
export function parseTransferFee(instruction: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const kind = reader.u8();
  const parse = PARSERS[kind];
  return parse === undefined
    ? reader.fail(`unknown transfer fee instruction ${kind}`)
    : parse(instruction, reader);
}

const PARSERS: readonly TransferFeeParser[] = [
  (ix, reader) => {
    const transferFeeConfigAuthority = readTaggedAddress(reader) ?? undefined;
    const withdrawWithheldAuthority = readTaggedAddress(reader) ?? undefined;
    const authorities = { transferFeeConfigAuthority, withdrawWithheldAuthority };
    return {
      type: 'initializeTransferFeeConfig',
      info: { ...nameAccounts(ix, 'mint'), ...authorities, ...fee(reader) },
    };
  },
  (ix, reader) => {
    const amount = reader.u64();
    const display = { decimals: reader.u8(), scale: null };
    const amounts = {
      tokenAmount: toUiTokenAmount(amount, display),
      feeAmount: toUiTokenAmount(reader.u64(), display),
    };
    const accounts = nameAccountsWithAuthority(
      ix,
      ['source', 'mint', 'destination'],
      createAuthorityNames('authority'),
    );
    return { type: 'transferCheckedWithFee', info: { ...accounts, ...amounts } };
  },
  (ix) => ({
    type: 'withdrawWithheldTokensFromMint',
    info: nameAccountsWithAuthority(ix, ['mint', 'feeRecipient'], WITHDRAW_AUTHORITY),
  }),
  withdrawFromAccounts,
  (ix) => ({
    type: 'harvestWithheldTokensToMint',
    info: { ...nameAccounts(ix, 'mint'), sourceAccounts: ix.accounts.slice(1) },
  }),
  (ix, reader) => {
    // The public interface spells this name with a lower-case t.
    const names = { single: 'transferFeeConfigAuthority', multisig: 'multisigtransferFeeConfigAuthority' };
    return {
      type: 'setTransferFee',
      info: { ...nameAccountsWithAuthority(ix, ['mint'], names), ...fee(reader) },
    };
  },
];

function fee(reader: ByteReader) {
  return { transferFeeBasisPoints: reader.u16(), maximumFee: reader.u64() };
}

/** The accounts that fees are withdrawn from come last, after the signers. */
function withdrawFromAccounts(ix: PlainInstruction, reader: ByteReader): ParsedInstruction {
  const count = reader.u8();
  if (ix.accounts.length < 3 + count) reader.fail(`${ix.accounts.length} accounts for ${count} sources`);
  const first = ix.accounts.length - count;
  const signed = { accounts: ix.accounts.slice(0, first) };
  const accounts = nameAccountsWithAuthority(signed, ['mint', 'feeRecipient'], WITHDRAW_AUTHORITY);
  return {
    type: 'withdrawWithheldTokensFromAccounts',
    info: { ...accounts, sourceAccounts: ix.accounts.slice(first) },
  };
}
