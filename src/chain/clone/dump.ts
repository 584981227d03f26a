import { OperatorError } from '../../common/operator-error.ts';
import type { Address } from '../../solana/address.ts';
import { NATIVE_LOADER } from '../../solana/program-addresses.ts';
import { formatAccountFile } from '../records/account-json.ts';
import type { AccountSource } from './account-source.ts';
import { getProgramElf, locateProgram } from './program-binary.ts';

/** The content of a file that `load` can read: an account in its JSON form, or the ELF of a program. */
export interface AccountDump {
  readonly kind: 'account' | 'program';
  readonly contents: Uint8Array;
}

/**
 * Reads an account, or the code of a program, in the form of a file.
 *
 * @throws OperatorError when the account does not exist, or is a program without code to copy.
 */
export async function dumpAccount(source: AccountSource, address: Address): Promise<AccountDump> {
  const [account = null] = await source.read([address]);
  if (account === null) throw new OperatorError(`there is no account ${address} at ${source.origin}`);
  if (!account.executable) {
    return { kind: 'account', contents: Buffer.from(formatAccountFile({ address, account })) };
  }
  if (account.owner === NATIVE_LOADER) {
    throw new OperatorError(`${address} is built into the runtime: there is no code to write`);
  }
  const location = locateProgram(address, account);
  if (location.kind === 'here') return { kind: 'program', contents: location.elf };
  const [programData = null] = await source.read([location.address]);
  return { kind: 'program', contents: getProgramElf(location.address, programData) };
}
