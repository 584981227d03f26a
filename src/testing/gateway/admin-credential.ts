/** The credential of the admin servers of tests, and the header that carries it. */
export const OPERATOR_CREDENTIAL = `sluice_operator_${'0'.repeat(64)}`;
export const AS_OPERATOR = { authorization: `Bearer ${OPERATOR_CREDENTIAL}` };
