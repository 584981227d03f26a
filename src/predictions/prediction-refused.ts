/**
 * What a refusal is about, which decides its status. `elsewhere`: this network has no prediction markets. `no provider`: what
 * provides a market says nothing of it now.
 */
export type PredictionRefusalKind = 'invalid' | 'not found' | 'not permitted' | 'elsewhere' | 'no provider';

/** The request is refused as it stands. The message is a sentence, or a text that clients compare. */
export class PredictionRefused extends Error {
  override readonly name = 'PredictionRefused';
  readonly kind: PredictionRefusalKind;
  /** The code by which programs tell refusals apart; null if there is only the message. */
  readonly code: string | null;
  /** The parameter or field that the refusal is about; null if it is about none. */
  readonly field: string | null;

  constructor(
    kind: PredictionRefusalKind,
    message: string,
    { code = null, field = null }: { readonly code?: string | null; readonly field?: string | null } = {},
  ) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.field = field;
  }
}

/**
 * Refuses an order for what it asks for.
 * @throws PredictionRefused always
 */
export function refuseOrder(code: string, message: string, field: string | null = null): never {
  throw new PredictionRefused('invalid', message, { code, field });
}

/**
 * Refuses a request for something that is not known here.
 * @throws PredictionRefused always
 */
export function refuseUnknown(code: string, message: string, field: string): never {
  throw new PredictionRefused('not found', message, { code, field });
}
