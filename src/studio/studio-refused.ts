/** Why the studio refuses something. */
export type StudioRefusalKind = 'invalid' | 'not the owner' | 'not found';

/** A request of the studio that cannot be carried out. The message is a sentence for the client. */
export class StudioRefused extends Error {
  override readonly name = 'StudioRefused';
  readonly kind: StudioRefusalKind;
  /** The field of the request that is wrong, with dots before the names of inner fields; null if it is no field. */
  readonly field: string | null;

  constructor(kind: StudioRefusalKind, message: string, field: string | null = null) {
    super(message);
    this.kind = kind;
    this.field = field;
  }
}

/** Refuses a request for one of its fields. */
export function refuseStudioField(field: string, message: string): never {
  throw new StudioRefused('invalid', message, field);
}
