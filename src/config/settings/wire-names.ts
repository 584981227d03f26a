/** Defaults of names that clients see. Operators can change each by the setting of the same name. */
export const WIRE_NAMES = {
  /** The prefix of every API key. */
  'wire-key-prefix': 'jup_',
} as const;
