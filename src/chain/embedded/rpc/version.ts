/**
 * Version of the Agave runtime inside the LiteSVM that this package depends on, which `getVersion` and every context
 * name. LiteSVM does not tell it at run time; a test compares this text with the one in its binary.
 */
export const RUNTIME_VERSION = '4.3.0';
