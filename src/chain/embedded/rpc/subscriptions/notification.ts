import { SYSTEM_PROGRAM } from '../../../../solana/program-addresses.ts';
import type { Account, AccountUpdate } from '../../../chain.ts';
import type { TransactionRecord } from '../../records/records.ts';
import { type AccountFormat, encodeAccountOrSay } from '../encoding/account.ts';
import { toJson } from '../json.ts';
import type { MintDisplays } from '../parsed/mint-display.ts';

/** The text of one notification. Notifications carry no API version in their context. */
export function notification(kind: string, id: number, result: string): string {
  return `{"jsonrpc":"2.0","method":"${kind}Notification","params":{"result":${result},"subscription":${id}}}`;
}

export function atSlot(slot: bigint, value: string): string {
  return `{"context":{"slot":${slot}},"value":${value}}`;
}

/** What an account looks like that does not exist any more. */
const GONE: Account = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: 0n,
};

/** Writes one account in the formats that its subscribers want, each once. */
export function accountWriter(
  { address, account }: Pick<AccountUpdate, 'address' | 'account'>,
  mints: MintDisplays,
): (format: AccountFormat) => string {
  const written = new Map<string, string>();
  return (format) => {
    const key = `${format.encoding} ${format.slice?.offset} ${format.slice?.length}`;
    const known = written.get(key);
    if (known !== undefined) return known;
    const text = toJson(encodeAccountOrSay(address, account ?? GONE, format, mints));
    written.set(key, text);
    return text;
  };
}

export function logsOf({ signature, error, logs }: TransactionRecord): string {
  return toJson({ signature, err: error, logs });
}
