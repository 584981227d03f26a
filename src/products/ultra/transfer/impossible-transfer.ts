/** Why a transfer cannot be made, as a sentence for the client. */
export interface ImpossibleTransfer {
  readonly kind: 'impossible';
  readonly error: string;
}

export function createImpossible(error: string): ImpossibleTransfer {
  return { kind: 'impossible', error };
}
