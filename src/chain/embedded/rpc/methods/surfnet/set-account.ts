import type { Address } from '../../../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../../../solana/program-addresses.ts';
import { U64_MAX } from '../../../../../solana/units.ts';
import type { Account } from '../../../../accounts.ts';
import { readConfigField } from '../../calls/config.ts';
import { wrapInContext, type RpcContext } from '../../calls/context.ts';
import { invalidParams } from '../../../../json-rpc/rpc-errors.ts';
import {
  requireAtMost,
  createIntegerReader,
  type Params,
  readAddress,
  readArray,
  readBoolean,
  readU64,
} from '../../calls/params.ts';
import { readKnownFields } from './known-fields.ts';

const MEMBERS = ['lamports', 'data', 'owner', 'executable', 'rentEpoch'] as const;
/** More than a request can contain. */
const MAX_DATA = 50 * 1024;
const readByte = createIntegerReader(0, 255);

/** Sets the given fields of an account. Others stay, and default to those of an empty account of the System program. */
export function setAccount(context: RpcContext, params: Params) {
  requireAtMost(params, 2);
  const { bank } = context;
  const address = readAddress(params[0], 'pubkey');
  const update = readUpdate(params[1]);
  const current = bank.getAccount(address, 'processed');
  const slot = bank.admin.setAccounts([{ address, account: updated(address, current, update) }]);
  return wrapInContext(context, { slot, value: null });
}

type SetAccountUpdate = { readonly [Name in keyof Account]?: Account[Name] | undefined };

function readUpdate(value: unknown): SetAccountUpdate {
  const fields = readKnownFields(value, 'update', MEMBERS);
  return {
    lamports: readConfigField(fields, 'lamports', readU64, 'update.lamports'),
    data: readConfigField(fields, 'data', readData, 'update.data'),
    owner: readConfigField(fields, 'owner', readAddress, 'update.owner'),
    executable: readConfigField(fields, 'executable', readBoolean, 'update.executable'),
    rentEpoch: readConfigField(fields, 'rentEpoch', readU64, 'update.rentEpoch'),
  };
}

/** Returns the account after the update. Null when it has no lamports left, because such an account does not exist. */
function updated(address: Address, current: Account | null, update: SetAccountUpdate): Account | null {
  const { lamports = current?.lamports, data, owner, executable, rentEpoch } = update;
  if (lamports === undefined)
    throw invalidParams(`update.lamports is missing: ${address} does not exist yet, and would have none`);
  if (lamports === 0n) {
    const other = MEMBERS.find((name) => name !== 'lamports' && update[name] !== undefined);
    if (other === undefined) return null;
    throw invalidParams(`update.${other} cannot be set: an account with 0 lamports does not exist`);
  }
  return {
    lamports,
    data: data ?? current?.data ?? new Uint8Array(),
    owner: owner ?? current?.owner ?? SYSTEM_PROGRAM,
    executable: executable ?? current?.executable ?? false,
    rentEpoch: rentEpoch ?? current?.rentEpoch ?? U64_MAX,
  };
}

/** Reads hexadecimal text or an array of bytes, as Surfpool does. */
function readData(value: unknown, name: string): Uint8Array {
  if (Array.isArray(value)) return Uint8Array.from(readArray(value, name, MAX_DATA, readByte));
  if (typeof value === 'string' && value.length % 2 === 0 && /^[0-9a-f]*$/i.test(value)) {
    return new Uint8Array(Buffer.from(value, 'hex'));
  }
  throw invalidParams(`${name} must be hexadecimal text of whole bytes, without 0x, or an array of bytes`);
}
