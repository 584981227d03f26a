import { type Profiler, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';
import type { Row } from './row.ts';

export const title = 'Modules of an order';

const ENDPOINT = 'src/products/swap/endpoints/order.ts';
const ENGINE = 'src/swaps/engines/metis.ts';
const ORDER = {
  inputMint: 'So11111111111111111111111111111111111111112',
  outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  amount: '100000000',
};

/** The earlier figures were counted in the same way at commit 661610f. */
export async function run(): Promise<readonly Row[]> {
  return [
    {
      what: '`GET /swap/v2/order`: modules of `src/` that its endpoint imports',
      measured: `${await imported([ENDPOINT])}`,
      against: 'the file with the routes, before endpoints had files of their own: 168',
    },
    {
      what: 'the same with the engine that quotes and builds',
      measured: `${await imported([ENDPOINT, ENGINE])}`,
      against: '139 before',
    },
    {
      what: 'modules of `src/` in which one order with a taker calls a function',
      measured: `${await called()}`,
      against: '75 before',
    },
  ];
}

/** Counts modules that are loaded together with the files; imports of types alone load nothing. */
async function imported(files: readonly string[]): Promise<number> {
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(new URL('../', import.meta.url)),
    stdin: { contents: files.map((file) => `import './${file}';`).join('\n'), resolveDir: '.' },
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    format: 'esm',
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs).filter((file) => file.startsWith('src/')).length;
}

/** Counts by V8's precise coverage. The embedded network and the fixtures are no parts of the gateway and are left out. */
async function called(): Promise<number> {
  const swap = await openTestSwap();
  await swap.order(ORDER);
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await swap.order(ORDER);
  const scripts = await new Promise<readonly Profiler.ScriptCoverage[]>((resolve, reject) => {
    session.post('Profiler.takePreciseCoverage', (error, { result }) =>
      error === null ? resolve(result) : reject(error),
    );
  });
  session.disconnect();
  const root = new URL('../src/', import.meta.url).href;
  return scripts.filter(
    ({ url, functions }) =>
      url.startsWith(root) &&
      !url.startsWith(`${root}chain/embedded/`) &&
      !url.startsWith(`${root}testing/`) &&
      functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  ).length;
}
