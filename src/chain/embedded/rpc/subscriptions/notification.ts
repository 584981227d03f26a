import { SYSTEM_PROGRAM } from '../../../../solana/program-addresses.ts';
import type { Account, AccountUpdate } from '../../../accounts.ts';
import type { TransactionRecord } from '../../../records/records.ts';
import { type AccountFormat, encodeAccountOrSay } from '../calls/account.ts';
import { toJson } from '../../../json-rpc/json.ts';
import type { MintDisplays } from '../parsed/mint-display.ts';
import { WrittenTexts } from './written-texts.ts';

/** Returns the text of a notification. The context of notifications has no API version. */
export function formatNotification(kind: string, id: number, result: string): string {
  return `{"jsonrpc":"2.0","method":"${kind}Notification","params":{"result":${result},"subscription":${id}}}`;
}

export function formatAtSlot(slot: bigint, value: string): string {
  return `{"context":{"slot":${slot}},"value":${value}}`;
}

/** The form in which a deleted account is reported. */
const GONE: Account = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: 0n,
};

/** Formats one account for its subscribers, once for each format. */
export function createAccountWriter(
  { address, account }: Pick<AccountUpdate, 'address' | 'account'>,
  mints: MintDisplays,
): (format: AccountFormat) => string {
  const texts = new WrittenTexts<string>();
  return (format) => {
    const key = `${format.encoding} ${format.slice?.offset} ${format.slice?.length}`;
    return texts.of(key, () => toJson(encodeAccountOrSay(address, account ?? GONE, format, mints)));
  };
}

export function formatLogs({ signature, error, logs }: TransactionRecord): string {
  return toJson({ signature, err: error, logs });
}
