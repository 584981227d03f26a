import { type Address, toAddressBytes } from '../../../solana/address.ts';
import type { Message } from '../../../solana/messages/message.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { U64_MAX } from '../../../solana/units.ts';
import type { Account, AccountUpdate } from '../../accounts.ts';
import { isEqualAccount } from '../ledger/accounts.ts';
import { computeNextNonce } from './admission.ts';
import type { IncomingTransaction } from '../ledger/incoming-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { computeDurableNonce, findNonce, replaceNonce } from '../ledger/nonce.ts';
import type { InnerInstructions } from '../../records/records.ts';
import { readAccount, writeAccount } from '../ledger/svm.ts';

/** The low bytes of the system program's tags for transfer, nonce advance and transfer with seed. */
const TRANSFERS: ReadonlySet<number> = new Set([2, 4, 11]);

/** What a successful transaction used. */
export interface TouchedAccounts {
  /** In the order of account indexes. */
  readonly addresses: readonly Address[];
  readonly writable: readonly Address[];
  readonly inner: readonly InnerInstructions[];
}

/** Copies the writable accounts of a successful transaction from LiteSVM. Returns the changes. */
export function takeWrites(
  ledger: Ledger,
  incoming: IncomingTransaction,
  touched: TouchedAccounts,
): AccountUpdate[] {
  const changes: AccountUpdate[] = [];
  const walletsStay = !mayAllocate(incoming.message, touched);
  for (const address of touched.writable) {
    const before = ledger.accounts.get(address);
    const account =
      walletsStay && before !== null && isWallet(before)
        ? withBalance(before, ledger.svm.getBalance(toAddressBytes(address)))
        : readAccount(ledger.svm, address);
    take(ledger, address, withNewNonce(ledger, incoming, address, account), changes);
  }
  return changes;
}

/** Applies the effects of a failed transaction: the fee, and the nonce that it used. Returns the changes. */
export function takeFee(ledger: Ledger, incoming: IncomingTransaction): AccountUpdate[] {
  const changes: AccountUpdate[] = [];
  const payer = readAccount(ledger.svm, incoming.feePayer);
  take(ledger, incoming.feePayer, payer?.lamports === 0n ? null : payer, changes);
  const { slot } = ledger.blocks.open;
  if (incoming.nonceAccount === null || ledger.blocks.isHashValidAt(incoming.message.blockhash, slot)) {
    return changes;
  }
  const account = ledger.accounts.get(incoming.nonceAccount);
  if (account === null) return changes;
  const advanced = replaceNonce(account, computeNextNonce(ledger, slot));
  writeAccount(ledger.svm, incoming.nonceAccount, advanced);
  take(ledger, incoming.nonceAccount, advanced, changes);
  return changes;
}

/** Sets the new nonce. LiteSVM derives it from the transaction's blockhash, a cluster from the newest block's. */
function withNewNonce(
  ledger: Ledger,
  incoming: IncomingTransaction,
  address: Address,
  account: Account | null,
): Account | null {
  const nonce = findNonce(account);
  if (account === null || nonce === null) return account;
  const derived = computeDurableNonce(toAddressBytes(incoming.message.blockhash));
  if (Buffer.compare(nonce, derived) !== 0) return account;
  const renewed = replaceNonce(account, computeNextNonce(ledger, ledger.blocks.open.slot));
  writeAccount(ledger.svm, address, renewed);
  return renewed;
}

/** Whether it is a system account without data. Reading only its balance from LiteSVM is several times faster. */
function isWallet({ owner, data, executable, rentEpoch }: Account): boolean {
  return owner === SYSTEM_PROGRAM && data.length === 0 && !executable && rentEpoch === U64_MAX;
}

function withBalance(wallet: Account, lamports: bigint | null): Account | null {
  if (lamports === null || lamports === 0n) return null;
  if (lamports === wallet.lamports) return wallet;
  const { owner, data, executable, rentEpoch } = wallet;
  return { lamports, owner, data, executable, rentEpoch };
}

/** Whether the system program did more than move lamports. Only it can turn a wallet into another kind of account. */
function mayAllocate(
  { instructions, staticAccounts }: Message,
  { addresses, inner }: TouchedAccounts,
): boolean {
  for (const { programIndex, data } of instructions) {
    if (allocates(staticAccounts[programIndex], data)) return true;
  }
  for (const group of inner) {
    for (const { programIdIndex, data } of group.instructions) {
      if (allocates(addresses[programIdIndex], data)) return true;
    }
  }
  return false;
}

function allocates(program: Address | undefined, data: Uint8Array): boolean {
  return program === SYSTEM_PROGRAM && !TRANSFERS.has(data[0] ?? 0);
}

function take(ledger: Ledger, address: Address, account: Account | null, changes: AccountUpdate[]): void {
  if (isEqualAccount(ledger.accounts.get(address), account)) return;
  ledger.accounts.set(address, account);
  changes.push({ address, slot: ledger.blocks.open.slot, account });
}
