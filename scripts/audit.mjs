#!/usr/bin/env node
// Fails when a dependency that users install has a known vulnerability, according to the package registry. A registry
// without advisories is reported, and only fails with `--required`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * @param {string} output - What `npm audit --json` printed.
 * @returns {{ kind: 'clean' | 'vulnerable' | 'unknown', message: string }}
 */
export function verdictOf(output) {
  const report = parsed(output);
  const counts = report?.metadata?.vulnerabilities;
  if (typeof counts?.total !== 'number') {
    const reason = report?.message ?? report?.error?.summary;
    const why = typeof reason === 'string' && reason !== '' ? reason.split(' - ')[0] : 'it gave no report';
    return {
      kind: 'unknown',
      message: `NOT CHECKED: the package registry does not tell known vulnerabilities (${why}).`,
    };
  }
  if (counts.total === 0) return { kind: 'clean', message: 'No dependency has a known vulnerability.' };
  const names = Object.entries(report.vulnerabilities ?? {}).map(
    ([name, { severity }]) => `${name} (${severity})`,
  );
  return { kind: 'vulnerable', message: `Known vulnerabilities in ${names.join(', ')}; see npm audit.` };
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { kind, message } = verdictOf(stdout ?? '');
  process.stdout.write(`${message}\n`);
  const fails = kind === 'vulnerable' || (kind === 'unknown' && process.argv.includes('--required'));
  process.exitCode = fails ? 1 : 0;
}
