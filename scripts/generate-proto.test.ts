import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GENERATED, generateProto, hasProtoc } from './generate-proto.mjs';

describe.runIf(hasProtoc())('the committed messages', () => {
  it('are what the proto files generate', () => {
    const fresh = mkdtempSync(join(tmpdir(), 'sluice-proto-'));
    generateProto(root, fresh);
    expect(filesIn(join(root, GENERATED))).toEqual(filesIn(fresh));
    rmSync(fresh, { recursive: true });
  });
});

const root = fileURLToPath(new URL('..', import.meta.url));

function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((file) => [file.slice(folder.length), readFileSync(file, 'utf8')]),
  );
}
