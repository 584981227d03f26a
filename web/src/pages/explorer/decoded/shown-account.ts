import { callApi } from '../../../api/call.ts';
import { shape, ShapeError, type ShapeReader } from '../../../base/json-shape.ts';

/** A field of an account. Its texts may be written by anybody. */
export interface ShownField {
  readonly name: string;
  readonly value: string;
  readonly kind: string;
  /** What is known of an address. */
  readonly label: string | null;
  /** The unit of an amount. */
  readonly decimals: number;
  readonly symbol: string | null;
  readonly mint: string | null;
  readonly children: readonly ShownField[];
}

/** An account as the server has decoded it. */
export interface ShownAccount {
  readonly slot: string;
  readonly exists: boolean;
  readonly lamports: bigint;
  readonly owner: string | null;
  readonly ownerLabel: string | null;
  readonly executable: boolean;
  readonly bytes: number;
  readonly kind: string | null;
  readonly summary: string;
  readonly label: string | null;
  readonly program: string | null;
  readonly fields: readonly ShownField[];
  readonly related: readonly {
    /** The name of the field that names it. */
    readonly role: string;
    readonly label: string | null;
    readonly address: string;
  }[];
  readonly instructions: readonly string[];
  /** The first bytes in base64. */
  readonly data: string | null;
  readonly links: { readonly pool: boolean; readonly token: boolean };
}

/** The server nests fields less deep. */
const MAX_DEPTH = 10;

/** Reads an account. @throws ApiError if it cannot be read; ShapeError if the answer has another form */
export async function fetchShownAccount(address: string): Promise<ShownAccount> {
  return readAccount(await callApi<unknown>(`/portal/data/accounts/${encodeURIComponent(address)}`));
}

const readAccount: ShapeReader<ShownAccount> = shape.object({
  slot: shape.text,
  exists: shape.flag,
  lamports: shape.whole,
  owner: shape.nullable(shape.text),
  ownerLabel: shape.nullable(shape.text),
  executable: shape.flag,
  bytes: shape.number,
  kind: shape.nullable(shape.text),
  summary: shape.text,
  label: shape.nullable(shape.text),
  program: shape.nullable(shape.text),
  fields: shape.list((field) => readField(field, 0)),
  related: shape.list(
    shape.object({ role: shape.text, label: shape.nullable(shape.text), address: shape.text }),
  ),
  instructions: shape.list(shape.text),
  data: shape.nullable(shape.text),
  links: shape.object({ pool: shape.flag, token: shape.flag }),
});

function readField(value: unknown, depth: number): ShownField {
  if (depth > MAX_DEPTH) throw new ShapeError('fields that are nested too deep');
  return shape.object({
    name: shape.text,
    value: shape.text,
    kind: shape.text,
    label: shape.nullable(shape.text),
    decimals: shape.optional(shape.number, 0),
    symbol: shape.nullable(shape.text),
    mint: shape.nullable(shape.text),
    children: shape.optional(
      shape.list((child) => readField(child, depth + 1)),
      [],
    ),
  })(value);
}
