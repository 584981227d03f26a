import { join } from 'node:path';
import { OperatorError } from '../../../common/operator-error.ts';
import { toAddress } from '../../../solana/address.ts';
import { sha256 } from '../../../solana/encoding/sha256.ts';
import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import type { AccountEntry } from '../records/account-codec.ts';
import type { BankOptions } from './bank-options.ts';
import { createGenesisChain } from '../blocks/blocks.ts';
import { EmbeddedBank } from './embedded-bank.ts';
import { DEFAULT_HISTORY_CAPACITY } from '../blocks/history.ts';
import { Ledger, computeUnixSeconds } from '../ledger/ledger.ts';
import { findFeedsProblem } from '../prices/invalid-feeds.ts';
import { type RecoveredNetwork, recover } from '../storage/recovery.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import { DEFAULT_SNAPSHOT_POLICY, Storage } from '../storage/storage.ts';
import { encodeGenesisSlotHistory } from '../blocks/sysvars.ts';

/**
 * Opens the network in the folder at its last durable slot, or creates a new network.
 *
 * @throws OperatorError when the folder contains damaged or newer data, or a network with another seed.
 * @throws OperatorError when an account of the genesis or the overlay cannot be loaded.
 */
export async function openBank(options: BankOptions): Promise<EmbeddedBank> {
  const recovered = options.folder === null ? null : recover(options.folder);
  const state = recovered?.snapshot ?? genesisState(options);
  if (state.genesisSeed !== options.seed) throw otherSeed(options, state.genesisSeed);
  const { historyCapacity = DEFAULT_HISTORY_CAPACITY, blockhashSlots = MAX_BLOCKHASH_AGE } = options;
  const ledger = new Ledger(state, historyCapacity, BigInt(blockhashSlots));
  for (const record of recovered?.records ?? []) ledger.replay(record);
  const overlaid = loadInto(ledger, options);
  const reason = findFeedsProblem(options.priceFeeds ?? [], (address) => ledger.accounts.get(address));
  if (reason !== null) throw new OperatorError(`the network's accounts cannot be used: ${reason}`);
  const storage =
    options.folder === null ? null : await openStorage(options.folder, options, recovered, state);
  const bank = new EmbeddedBank(options, {
    ledger,
    storage,
    genesisHash: createGenesisChain(options.seed, 0n).blocks[0]?.blockhash ?? '',
    identity: toAddress(sha256(new TextEncoder().encode(`sluice validator\0${options.seed}`))),
    snapshotFolder: options.folder === null ? null : join(options.folder, 'snapshots'),
  });
  if (overlaid) {
    await bank.advanceSlot();
    ledger.blocks.settle();
  }
  return bank;
}

function openStorage(
  folder: string,
  options: BankOptions,
  recovered: RecoveredNetwork | null,
  genesis: NetworkState,
): Promise<Storage> {
  const policy = options.snapshotPolicy ?? DEFAULT_SNAPSHOT_POLICY;
  if (recovered !== null) return Storage.resume(folder, policy, recovered);
  return Storage.begin(folder, policy, genesis);
}

/** Opens the slot and writes the overlay in it, so that its changes are logged. Returns whether there are any. */
function loadInto(ledger: Ledger, { now, overlay }: BankOptions): boolean {
  try {
    ledger.begin(computeUnixSeconds(now, ledger.clockOffset));
    return ledger.write(overlay.map(({ address, account }): AccountEntry => [address, account]));
  } catch (error) {
    throw new OperatorError(
      `the network's accounts cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function genesisState({ seed, genesis, now }: BankOptions): NetworkState {
  return {
    genesisSeed: seed,
    chain: createGenesisChain(seed, computeUnixSeconds(now, 0n)),
    slotHistory: encodeGenesisSlotHistory(),
    clockOffset: 0n,
    accounts: genesis.map(({ address, account }): AccountEntry => [address, account]),
    statuses: [],
    transactions: [],
  };
}

function otherSeed({ folder, seed }: BankOptions, kept: string): OperatorError {
  return new OperatorError(
    `${folder} holds a network that was begun with the seed "${kept}", but the seed is now "${seed}". ` +
      'Use that seed, or another data folder',
  );
}
