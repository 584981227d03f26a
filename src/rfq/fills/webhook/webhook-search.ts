import { type Chain, ChainUnavailable, type SignatureStatus } from '../../../chain/chain.ts';
import { decodeBase58Exactly } from '../../../solana/encoding/base58.ts';
import { SIGNATURE_BYTES, verifySignatureInPool } from '../../../solana/messages/signature.ts';
import type { WebhookOrder } from '../../../swaps/orders/stored-order.ts';
import { searchByOtherSignatures } from '../../../transactions/submit/submit-and-confirm.ts';
import { isConfirmed, readSignatureStatus } from '../../../transactions/submit/transaction-lookup.ts';

const MAX_LISTED = 1_000;

/** What the chain says about a swap. */
export type SwapLookup =
  | { readonly kind: 'landed'; readonly signature: string; readonly status: SignatureStatus }
  /** It is on no chain, and can no longer be. */
  | { readonly kind: 'never' }
  | { readonly kind: 'unknown' };

/** Looks on the chain for one swap that its maker lands itself. */
export class WebhookSearch {
  readonly #chain: Chain;
  readonly #order: WebhookOrder;
  /** The message that the taker signed. */
  readonly #messageBytes: Uint8Array;
  /** The newest transaction of the taker that was looked at. */
  #newest: string | undefined;

  constructor(chain: Chain, order: WebhookOrder, messageBytes: Uint8Array) {
    this.#chain = chain;
    this.#order = order;
    this.#messageBytes = messageBytes;
  }

  /**
   * Looks for the swap among the taker's newest transactions. The maker's signature of its message is the proof.
   * @param hinted - The signature that the maker told, or null. It is a hint only: the maker can sign the message again, and
   *   land that.
   */
  async find(hinted: string | null): Promise<SwapLookup> {
    try {
      if (hinted !== null && (await this.#isOurs(hinted))) {
        const found = await this.#statusOf(hinted);
        if (found.kind === 'landed') return found;
      }
      const range = this.#newest === undefined ? {} : { until: this.#newest };
      const listed = await this.#chain.signaturesOf(this.#order.taker, { limit: MAX_LISTED, ...range });
      for (const { signature } of listed) {
        if (await this.#isOurs(signature)) return await this.#statusOf(signature);
      }
      this.#newest = listed[0]?.signature ?? this.#newest;
      return { kind: 'never' };
    } catch (error) {
      if (error instanceof ChainUnavailable) return { kind: 'unknown' };
      throw error;
    }
  }

  /** Before the final "no": looks for the message everywhere, once everything that may have it is final. */
  async searchAll(): Promise<SwapLookup> {
    const { lastValidBlockHeight } = this.#order;
    const messageBytes = this.#messageBytes;
    const end = await searchByOtherSignatures(this.#chain, { messageBytes, lastValidBlockHeight });
    if (end === null) return { kind: 'unknown' };
    return end.kind === 'landed' ? end : { kind: 'never' };
  }

  /** Verifies in the thread pool, because the first list has up to a thousand signatures. */
  async #isOurs(signature: string): Promise<boolean> {
    const bytes = decodeBase58Exactly(signature, SIGNATURE_BYTES);
    const { maker } = this.#order.webhookFill.terms;
    return bytes !== null && verifySignatureInPool(maker, this.#messageBytes, bytes);
  }

  async #statusOf(signature: string): Promise<SwapLookup> {
    const status = await readSignatureStatus(this.#chain, signature);
    if (isConfirmed(status)) return { kind: 'landed', signature, status };
    return { kind: status === null ? 'never' : 'unknown' };
  }
}
