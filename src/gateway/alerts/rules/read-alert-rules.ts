import { readFileSync, statSync } from 'node:fs';
import { OperatorError } from '../../../common/operator-error.ts';
import { packageRoot } from '../../../common/package.ts';
import { RuleError } from '../promql/rule-error.ts';
import { type AlertRule, readRuleFile } from './rule-file.ts';

/** The rules that the package brings, which operators also give to Prometheus. */
export const OWN_RULES = 'docs/monitoring/alerts.yml';
const MAX_BYTES = 1_000_000;

/**
 * Reads the rules of alerts.
 * @param path - A file of the operator's own; null: the rules of the package.
 * @throws OperatorError when the file cannot be read
 */
export function readAlertRules(path: string | null): readonly AlertRule[] {
  if (path === null) return readRuleFile(readFileSync(new URL(OWN_RULES, packageRoot), 'utf8'));
  try {
    const status = statSync(path);
    // Reading a pipe or a device might never end.
    if (!status.isFile()) throw new RuleError('it is no file');
    if (status.size > MAX_BYTES) throw new RuleError(`it is larger than ${MAX_BYTES} bytes`);
    return readRuleFile(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`alerts-file ${path} cannot be read as alert rules of Prometheus: ${reason}`);
  }
}
