/** Why there is no transaction for an order, as a sentence for the client. */
export interface ImpossibleOrder {
  readonly kind: 'impossible';
  readonly error: string;
}

export function createImpossibleOrder(error: string): ImpossibleOrder {
  return { kind: 'impossible', error };
}
