import type { RecentBlockhash, SignatureSearch, SignatureStatus } from '../../src/chain/chain.ts';
import { type Address, toAddress } from '../../src/solana/address.ts';
import { getTransactionSignature, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { SvmChain } from '../../src/testing/svm/chain.ts';

/** Blocks in which all transactions get the same blockhash. */
const BLOCKS_OF_A_BLOCKHASH = 8n;

/** What happens to a transaction that is sent. */
export interface SendFault {
  /** Slots after which it lands; null if it never does. */
  readonly landsAfter: bigint | null;
  /** Slots after which it arrives a second time; null if it does not. */
  readonly landsAgainAfter: bigint | null;
  /** Slots for which the network says nothing about it although it has landed. */
  readonly unseenFor: bigint;
}

/** A network that loses transactions, takes them in late and twice, and tells late what has landed. Blockhashes expire. */
export class ChaosChain extends SvmChain {
  /** Called for each transaction that is sent. */
  onSend: () => SendFault = () => ({ landsAfter: 0n, landsAgainAfter: null, unseenFor: 0n });
  readonly #lastHeights = new Map<string, bigint>();
  readonly #onTheirWay: { readonly wire: Uint8Array; readonly at: bigint }[] = [];
  /** From which slot to which the network does not tell of a transaction. */
  readonly #unseen = new Map<string, { readonly from: bigint; readonly to: bigint }>();

  override recentBlockhash(slotsToExpiry = 150): RecentBlockhash {
    const height = this.blockHeight('processed');
    const bytes = new Uint8Array(32).fill(7);
    new DataView(bytes.buffer).setBigUint64(0, height / BLOCKS_OF_A_BLOCKHASH);
    const blockhash = toAddress(bytes);
    const lastValidBlockHeight =
      (height / BLOCKS_OF_A_BLOCKHASH) * BLOCKS_OF_A_BLOCKHASH + BigInt(Math.min(slotsToExpiry, 150));
    this.#lastHeights.set(blockhash, lastValidBlockHeight);
    return { ...super.recentBlockhash(slotsToExpiry), blockhash, bytes, lastValidBlockHeight };
  }

  override lastValidHeightOf(blockhash: Address): bigint | null {
    return this.#lastHeights.get(blockhash) ?? null;
  }

  override async send(wire: Uint8Array): Promise<string> {
    const { landsAfter, landsAgainAfter, unseenFor } = this.onSend();
    const signature = getTransactionSignature(parseTransaction(wire));
    const now = this.slot('processed');
    if (unseenFor > 0n) this.#unseen.set(signature, { from: now, to: now + unseenFor });
    for (const after of [landsAfter, landsAgainAfter]) {
      if (after === 0n) await this.#land(wire);
      else if (after !== null) this.#onTheirWay.push({ wire, at: now + after });
    }
    return signature;
  }

  /** Lets slots pass, in which what is on its way arrives. */
  async passSlots(slots: bigint): Promise<void> {
    this.pass(slots);
    const now = this.slot('processed');
    const arrived = this.#onTheirWay.filter(({ at }) => at <= now);
    for (const each of arrived) {
      this.#onTheirWay.splice(this.#onTheirWay.indexOf(each), 1);
      // A transaction that a node refuses late, for a signature or a table, is refused without anybody to tell.
      await this.#land(each.wire).catch(() => undefined);
    }
  }

  override async signatureStatuses(
    signatures: readonly string[],
  ): Promise<readonly (SignatureStatus | null)[]> {
    const statuses = await super.signatureStatuses(signatures);
    return statuses.map((status, index) =>
      this.#findSlotBefore(signatures[index] ?? '') === null ? status : null,
    );
  }

  /** While it tells nothing about a transaction, it is a node that is behind, and says so. */
  override async searchSignature(signature: string): Promise<SignatureSearch> {
    const before = this.#findSlotBefore(signature);
    if (before === null) return super.searchSignature(signature);
    const finalized = { slot: before, height: before };
    return { status: null, slot: before, finalized, hasHistory: true };
  }

  #findSlotBefore(signature: string): bigint | null {
    const unseen = this.#unseen.get(signature);
    return unseen !== undefined && this.slot('processed') < unseen.to ? unseen.from : null;
  }

  async #land(wire: Uint8Array): Promise<void> {
    const { message } = parseTransaction(wire);
    const last = this.#lastHeights.get(message.blockhash) ?? 0n;
    if (this.blockHeight('processed') <= last) await super.send(wire);
  }
}
