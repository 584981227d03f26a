import { WebSocket } from 'ws';
import { type PostLimits, postJson } from '../../common/bounded-post.ts';
import { parseBoundedJson } from '../../common/bounded-json.ts';
import { OperatorError } from '../../common/operator-error.ts';
import type { Config } from '../../config/config.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { type DoctorCheck, fault, type DoctorFinding, ok, runWithRemedy, warning } from './check.ts';
import type { NoteServerTime } from './server-checks.ts';

const LIMITS: PostLimits = { timeoutMs: 5_000, maxBytes: 256 * 1024 };
const MAX_MESSAGE_BYTES = 64 * 1024;
const HANDSHAKE_MS = 5_000;

const REMEDY = 'see that it runs, that the URL and its key are right, and that no firewall is in between';

/** Programs that every network has on which Sluice can trade. */
const NEEDED_PROGRAMS = [TOKEN_PROGRAM, AGGREGATOR_PROGRAM];

/** Checks the RPCs that settings name. */
export function listNetworkChecks(
  { outside, cloneFrom, clones, otlpEndpoint }: Config,
  noteTime: NoteServerTime,
): readonly DoctorCheck[] {
  const collector =
    otlpEndpoint === null
      ? []
      : [
          {
            name: 'otlp-endpoint',
            run: () => runWithRemedy(() => checkCollector(new URL(otlpEndpoint)), REMEDY),
          },
        ];
  if (outside === null) {
    const isCloning = cloneFrom !== null && clones.length > 0;
    return [
      ...(isCloning
        ? [{ name: 'clone-from', run: () => runWithRemedy(() => checkHealth(cloneFrom), REMEDY) }]
        : []),
      ...collector,
    ];
  }
  const { url, wsUrl, sendUrls } = outside;
  return [
    { name: 'rpc-url', run: () => runWithRemedy(() => checkRpc(url, noteTime), REMEDY) },
    { name: 'rpc-ws-url', run: () => checkWebSocket(wsUrl) },
    ...sendUrls.map((sendUrl, index) => ({
      name: sendUrls.length === 1 ? 'rpc-send-url' : `rpc-send-url ${index + 1}`,
      run: () => runWithRemedy(() => checkSendRpc(sendUrl, url), REMEDY),
    })),
    ...collector,
  ];
}

async function checkRpc(url: URL, noteTime: NoteServerTime): Promise<DoctorFinding> {
  const health = await checkHealth(url);
  if (health.status !== 'ok') return health;
  const [genesisHash, slot] = [await call(url, 'getGenesisHash'), await call(url, 'getSlot')];
  const time = await call(url, 'getBlockTime', [slot]).catch(() => null);
  if (typeof time === 'number') noteTime('the network', time * 1_000, true);
  const { value } = (await call(url, 'getMultipleAccounts', [
    NEEDED_PROGRAMS,
    { encoding: 'base64', dataSlice: { offset: 0, length: 0 } },
  ])) as { readonly value?: readonly unknown[] };
  const missing = NEEDED_PROGRAMS.filter((_, index) => (value?.[index] ?? null) === null);
  if (missing.length > 0) {
    return fault(
      `the network with the genesis ${String(genesisHash)} has no program at ${missing.join(' and ')}; name the RPC of a network with the public programs`,
    );
  }
  return ok(`it is healthy, genesis ${String(genesisHash)}, slot ${String(slot)}`);
}

async function checkHealth(url: URL): Promise<DoctorFinding> {
  const health = await call(url, 'getHealth');
  return health === 'ok'
    ? ok('it is healthy')
    : fault(`getHealth says ${JSON.stringify(health)}; wait until the node has caught up, or name another`);
}

async function checkSendRpc(url: URL, main: URL): Promise<DoctorFinding> {
  const [own, other] = await Promise.all([
    call(url, 'getGenesisHash'),
    call(main, 'getGenesisHash').catch(() => null),
  ]);
  if (other === null)
    return warning(
      `it answers, genesis ${String(own)}, but rpc-url does not, so it is not known to be of the same network`,
    );
  if (own !== other)
    return fault(
      `it is of another network: its genesis is ${String(own)}, and that of rpc-url ${String(other)}; name a node of the same network`,
    );
  return ok('it is of the same network');
}

/** Waits for the first slot that the WebSocket reports, because some proxies connect and then forward nothing. */
function checkWebSocket(url: URL): Promise<DoctorFinding> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, {
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      followRedirects: false,
    });
    const timer = setTimeout(
      () =>
        end(fault('it is connected, and reported no slot within 8 seconds; name another with --rpc-ws-url')),
      8_000,
    );
    const end = (finding: DoctorFinding) => {
      clearTimeout(timer);
      socket.terminate();
      resolve(finding);
    };
    socket.once('error', (error) =>
      end(
        fault(`${withoutPlace(error.message || error.name, url)}; see that it is the WebSocket of rpc-url`),
      ),
    );
    socket.once('open', () => socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}'));
    socket.once('close', () =>
      end(fault('it was closed before it reported a slot; see that it is the WebSocket of rpc-url')),
    );
    socket.on('message', (message) => {
      if (String(message).includes('slotNotification')) end(ok('it reports slots'));
    });
  });
}

/** An OTLP receiver refuses an empty body, which shows that it is there. */
async function checkCollector(url: URL): Promise<DoctorFinding> {
  const { status } = await postWithoutPlace(
    new URL('v1/traces', url.href.endsWith('/') ? url : `${url.href}/`),
    '{}',
  );
  return status === 404
    ? warning('it has no /v1/traces; name the base URL of a receiver of OTLP over HTTP')
    : ok('it answers');
}

async function call(url: URL, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const { status, text } = await postWithoutPlace(
    url,
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  );
  let answer: { readonly result?: unknown; readonly error?: { readonly message?: unknown } };
  try {
    answer = parseBoundedJson(text) as typeof answer;
  } catch {
    throw new OperatorError(`it answers ${method} with HTTP ${status} and no JSON`);
  }
  if (answer?.result !== undefined) return answer.result;
  throw new OperatorError(
    `it refuses ${method} with HTTP ${status}: ${String(answer?.error?.message ?? 'without a reason')}`,
  );
}

async function postWithoutPlace(url: URL, body: string) {
  try {
    return await postJson(url, body, LIMITS);
  } catch (error) {
    throw new OperatorError(withoutPlace(error instanceof Error ? error.message : String(error), url));
  }
}

/** A host can contain a key. */
function withoutPlace(text: string, url: URL): string {
  return text.replaceAll(url.origin, 'it').replaceAll(url.host, '(host)').replaceAll(url.hostname, '(host)');
}
