import { Unavailable } from '../common/unavailable.ts';
import { GatheredWork } from '../common/work/gathered-work.ts';
import type { Address } from '../solana/address.ts';
import type { Store } from '../store/index.ts';
import { checkMessageToSign } from './checks/check-message.ts';
import { type MessageToSign, SigningRefused } from './checks/message-to-sign.ts';
import type { CustodySignature, KeyCustody } from './custody.ts';
import { type KeyRows, recordSignatures, type SignatureRecord } from './keys/key-rows.ts';
import type { MasterKeys } from './keys/master-key.ts';
import { createSealedKey, type KeyPurpose, type SealedKey, signWithSealed } from './keys/sealed-keys.ts';

export interface VaultCustodyDependencies {
  readonly store: Store;
  readonly rows: KeyRows;
  readonly masters: MasterKeys;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** How many messages have their signatures recorded with one write. */
const RECORDED_TOGETHER = 64;

/** Keeps the keys encrypted in the database, and decrypts one for the moment of each signature. */
export class VaultCustody implements KeyCustody {
  readonly #store: Store;
  readonly #rows: KeyRows;
  readonly #masters: MasterKeys;
  readonly #now: () => number;
  readonly #recording = new GatheredWork(async (all: readonly (readonly SignatureRecord[])[]) => {
    await recordSignatures(this.#store, all.flat());
    return all.map(() => undefined);
  }, RECORDED_TOGETHER);

  constructor({ store, rows, masters, now }: VaultCustodyDependencies) {
    this.#store = store;
    this.#rows = rows;
    this.#masters = masters;
    this.#now = now;
  }

  async findVault(wallet: Address): Promise<Address | null> {
    const key = await this.#rows.findVault(wallet);
    return key?.address ?? null;
  }

  async createVault(wallet: Address): Promise<{ readonly vault: Address; readonly isNew: boolean }> {
    const known = await this.#rows.findVault(wallet);
    if (known !== null) return { vault: known.address, isNew: false };
    const { key, isNew } = await this.#create('vault', wallet);
    return { vault: key.address, isNew };
  }

  async coSigner(): Promise<Address> {
    return (await this.#keepCoSigner()).address;
  }

  async sign(request: MessageToSign): Promise<readonly CustodySignature[]> {
    const [vault, coSigner] = await Promise.all([this.#rows.findVault(request.wallet), this.#keepCoSigner()]);
    if (vault === null) throw new SigningRefused(`the wallet ${request.wallet} has no vault`);
    // What is checked is what is signed, whatever the caller does with its own bytes.
    const messageBytes = Uint8Array.from(request.messageBytes);
    const own = { vault: vault.address, coSigner: coSigner.address };
    checkMessageToSign({ ...request, messageBytes }, own);
    const keys = isCoSigned(request) ? [vault, coSigner] : [vault];
    const signatures = keys.map((key) => ({
      address: key.address,
      signature: signWithSealed(this.#masters, key, messageBytes),
    }));
    await this.#record(request, signatures);
    return signatures;
  }

  async #record({ kind, subject }: MessageToSign, signatures: readonly CustodySignature[]): Promise<void> {
    const signedAt = this.#now();
    try {
      await this.#recording.add(signatures.map((each) => ({ ...each, purpose: kind, subject, signedAt })));
    } catch (cause) {
      throw new Unavailable('the signature could not be recorded, so it was not given out', { cause });
    }
  }

  async #keepCoSigner(): Promise<SealedKey> {
    return (await this.#rows.findCoSigner()) ?? (await this.#create('co-signer', '')).key;
  }

  async #create(purpose: KeyPurpose, wallet: Address | '') {
    const made = createSealedKey(this.#masters.current, purpose, wallet);
    const key = await this.#rows.add(made, this.#now());
    return { key, isNew: key.address === made.address };
  }
}

/** Fills, and deposits that the vault signs for its new account, name no co-signer. */
function isCoSigned(request: MessageToSign): boolean {
  if (request.kind === 'deposit') return request.earnMint === undefined;
  return request.kind === 'withdrawal';
}
