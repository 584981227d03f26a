import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bannerValue, FREE_PORTS, Instance } from '../test/e2e/instance.ts';

/** Settings with which an instance takes the same fees as the public service. They are off by default. */
export const AS_THE_PUBLIC_SERVICE: readonly string[] = ['--house-fees=true'];

const SETTINGS = ['--log-level=warn', '--keyless-local-limit=30'];

/** The facts about an instance that the statements need. */
export interface RunningInstance {
  readonly restUrl: string;
  readonly adminUrl: string;
  readonly landingUrl: string;
  readonly rpcUrl: string;
  /** Host and port of the makers' gRPC interface. */
  readonly grpcAddress: string;
  readonly operatorCredential: string;
  /** A Solana keypair file. */
  readonly walletFile: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts `sluice start` as a user does, with the embedded network, on free ports and in a folder of its own.
 * @param flags settings beside the defaults, such as `--slot-ms=50`
 */
export async function startInstance(flags: readonly string[] = []): Promise<RunningInstance> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-conformance-'));
  const instance = new Instance(
    ['start', ...FREE_PORTS, '--landing-address=127.0.0.1:0', ...SETTINGS, ...flags],
    folder,
  );
  const stop = async () => {
    await instance.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const banner = await instance.ready();
    return {
      restUrl: bannerValue(banner, 'REST'),
      adminUrl: new URL(bannerValue(banner, 'Admin')).origin,
      landingUrl: bannerValue(banner, 'Landing'),
      rpcUrl: bannerValue(banner, 'Solana RPC'),
      grpcAddress: new URL(bannerValue(banner, 'Makers \\(gRPC\\)')).host,
      operatorCredential: readFileSync(bannerValue(banner, 'credential in'), 'utf8').trim(),
      walletFile: bannerValue(banner, 'its key'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
