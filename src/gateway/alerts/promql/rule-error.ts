/** An expression, a pattern, a text or a rule that cannot be read or evaluated. The message is a sentence for an operator. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
}
