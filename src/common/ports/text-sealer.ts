/** Encrypts texts that have to be stored and read again, such as the key that a maker's webhook wants. */
export interface TextSealer {
  /**
   * @param purpose - What the text is for. The sealed text cannot be opened for another purpose, so it is worth nothing in
   *   another row.
   * @returns the encrypted text in base64, which is another one each time
   */
  readonly seal: (text: string, purpose: string) => string;
  /** @throws Error when the text was not sealed with this secret for this purpose, or was changed */
  readonly open: (sealed: string, purpose: string) => string;
}
