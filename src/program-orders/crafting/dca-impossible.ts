/** Why there is no transaction for an order that trades in cycles, as a sentence for the client. */
export interface DcaImpossible {
  readonly kind: 'impossible';
  readonly error: string;
}

export function createDcaImpossible(error: string): DcaImpossible {
  return { kind: 'impossible', error };
}
