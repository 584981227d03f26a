/**
 * The version of the Agave runtime in the LiteSVM that this package depends on, which `getVersion` and every context
 * report. LiteSVM does not provide it at run time; a test compares this text with the one in its binary.
 */
export const RUNTIME_VERSION = '4.3.0';
