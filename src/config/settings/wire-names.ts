/** Names that clients see and that another operator may want otherwise. Each is a setting, `wire-...`. */
export const WIRE_NAMES = {
  /** What every API key begins with. */
  'wire-key-prefix': 'jup_',
} as const;
