import type { NamedNodes, SchemaNode } from './schema.ts';

/** The OpenAPI document as the gateway serves it. */
export interface ServedDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ServedOperation>>>>;
  readonly components?: {
    readonly schemas?: NamedNodes;
    readonly securitySchemes?: Readonly<Record<string, ServedScheme>>;
  };
  readonly security?: readonly ServedSecurity[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
}

/** How a credential is sent. */
export interface ServedScheme {
  readonly type: string;
  readonly in?: string;
  readonly name?: string;
  readonly scheme?: string;
}

/** The schemes that one way to authenticate needs together. */
export type ServedSecurity = Readonly<Record<string, readonly string[]>>;

/** A body by its media types. */
export type ServedContent = Readonly<
  Record<string, { readonly schema?: SchemaNode; readonly example?: unknown }>
>;

export interface ServedOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly 'x-right'?: string;
  readonly 'x-bucket'?: string;
  readonly 'x-credits'?: number;
  readonly security?: readonly ServedSecurity[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: SchemaNode;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: ServedContent };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: ServedContent }>
  >;
}
