import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The protocols of the servers. Each becomes a `_pb.js` with its types under `GENERATED`. */
const FILES = ['market_maker.proto', 'grpc/health/v1/health.proto', 'grpc/reflection/v1/reflection.proto'];

export const GENERATED = 'src/gateway/grpc/generated';

/**
 * Generates JavaScript with declarations instead of TypeScript, because the plugin writes enums that cannot be erased.
 *
 * @param {string} root - The folder of the checkout.
 * @param {string} out - The folder to replace.
 */
export function generateProto(root, out) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const plugin = join(root, 'node_modules', '.bin', 'protoc-gen-es');
  const args = [
    `--plugin=${plugin}`,
    `--es_out=${out}`,
    '--es_opt=target=js+dts,import_extension=js',
    `--proto_path=${join(root, 'proto')}`,
    ...FILES,
  ];
  execFileSync('protoc', args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Whether this machine has the compiler, which is in Debian's package `protobuf-compiler`. */
export function hasProtoc() {
  try {
    execFileSync('protoc', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
