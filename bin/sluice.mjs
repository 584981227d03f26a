#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { refuseOldNode } from './oldest-node.mjs';

if (await prepared()) await import(new URL('../dist/main.js', import.meta.url).href);

async function prepared() {
  try {
    refuseOldNode(process.versions.node);
    // A published package carries `dist/` and no scripts; a checkout installs and bundles what changed.
    const prepare = new URL('../scripts/prepare.mjs', import.meta.url);
    if (existsSync(prepare)) await (await import(prepare.href)).prepare(process.argv.slice(2));
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
    return false;
  }
}
