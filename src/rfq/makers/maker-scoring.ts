/**
 * How offered swaps end, as settlement tells the makers' state machine. Each swap is told once; a
 * second time changes nothing. The promises resolve when it is written down, or when it was reported that it cannot be.
 */
export interface MakerScoring {
  /** The maker signed in time and the fill landed. */
  filled(makerId: string, swapUuid: string): Promise<void>;
  /** The deadline passed without the maker's signature: it counts against the fill rate. */
  missed(makerId: string, swapUuid: string): Promise<void>;
  /**
   * The maker returned something other than the message it was offered: it is offline until the operator reinstates it.
   * Both messages are recorded.
   */
  tampered(makerId: string, swapUuid: string, sent: Uint8Array, returned: Uint8Array): Promise<void>;
}
