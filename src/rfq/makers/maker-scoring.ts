/**
 * Counts how offered swaps ended. Each swap counts once. The promises resolve once the result is written, or the
 * failure to write it has been reported.
 */
export interface MakerScoring {
  /** The maker signed in time and the fill landed. */
  filled(makerId: string, swapUuid: string): Promise<void>;
  /** The deadline passed without the maker's signature. This lowers the fill rate. */
  missed(makerId: string, swapUuid: string): Promise<void>;
  /**
   * The maker returned another message than it was offered. It goes offline until the operator reinstates it, and both
   * messages are recorded.
   */
  tampered(makerId: string, swapUuid: string, sent: Uint8Array, returned: Uint8Array): Promise<void>;
}
