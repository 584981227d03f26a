import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Unreachable } from '../../common/bounded-post.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { packageRoot } from '../../common/package.ts';
import type { Config } from '../../config/config.ts';
import { renderTable } from '../../config/render.ts';
import { readInstanceUrls } from '../../data-folder/instance-file.ts';
import { resolveInstanceUrl, portOf } from '../admin-client/point-at-instance.ts';
import { awaitInstance } from '../admin-client/running-instance.ts';
import { UsageError } from '../command-line/command-line.ts';
import type { Command } from '../command-line/command.ts';

const PAGES = ['portal', 'docs', 'api', 'admin', 'none'] as const;
type OpenablePage = (typeof PAGES)[number];

const CONNECT_MS = 5_000;
const DASHBOARD = 'docs/monitoring/dashboard.json';

export const openCommand: Command = {
  name: 'open',
  summary: 'Print where the pages of the running instance are, and open one in a browser.',
  words: [],
  settings: [
    'host',
    'rest-port',
    'tls-cert',
    'tls-key',
    'admin-host',
    'admin-port',
    'admin-tls-cert',
    'admin-tls-key',
    'data-dir',
    'portal',
  ],
  flags: [
    {
      name: 'page',
      allowed: `one of ${PAGES.join(', ')}`,
      description: 'The page that is opened. Default: portal, or docs if the portal is turned off.',
    },
  ],
  run: async ({ config, flags, environment, write }) => {
    const page = parsePageFlag(flags, config.portal ? 'portal' : 'docs');
    const { rest, admin } = await runningUrls(config);
    const urls = {
      portal: `${rest}/portal`,
      docs: `${rest}/docs`,
      api: `${rest}/docs/api`,
      admin: `${admin}/docs`,
    };
    write(
      renderTable([
        ['page', 'where'],
        ...(config.portal ? [['portal', urls.portal]] : []),
        ['docs', urls.docs],
        ['api', urls.api],
        ['admin', urls.admin],
        ['dashboard', `${fileURLToPath(new URL(DASHBOARD, packageRoot))} (for Grafana)`],
      ]),
    );
    if (page === 'none') return 0;
    const isOpened = await openInBrowser(urls[page], environment, process.platform);
    write(isOpened ? `Opened ${urls[page]}\n` : 'There is no browser here, so open one of these yourself.\n');
    return 0;
  },
};

function parsePageFlag(flags: ReadonlyMap<string, string>, usual: OpenablePage): OpenablePage {
  const given = flags.get('page') ?? usual;
  const page = PAGES.find((one) => one === given);
  if (page !== undefined) return page;
  throw new UsageError(`flag --page is ${formatForError(given)}, but must be one of ${PAGES.join(', ')}`);
}

/** @throws OperatorError when no instance listens there. */
async function runningUrls(config: Config): Promise<{ readonly rest: string; readonly admin: string }> {
  const { host, restPort, adminHost, adminPort, transport } = config;
  const written = readInstanceUrls(config.dataDir);
  const rest = resolveInstanceUrl(written?.rest, transport.restCertificate, { host, port: restPort });
  const admin = resolveInstanceUrl(written?.admin, transport.adminCertificate, {
    host: adminHost,
    port: adminPort,
  });
  await awaitInstance(checkListens(rest), ['rest-port', 'host', 'data-dir']);
  return { rest, admin };
}

/** @throws Unreachable when nothing listens at the URL. */
async function checkListens(url: string): Promise<void> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: portOf(url) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Unreachable(`${url} cannot be reached: ${reason}`);
  } finally {
    socket.destroy();
  }
}

/**
 * Opens a page in the browser of the person at this machine.
 *
 * Returns false when there is no browser, as on a server.
 */
async function openInBrowser(
  url: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<boolean> {
  const command = findBrowserCommand(environment, platform);
  if (command === null) return false;
  const [file = '', ...args] = command;
  const browser = spawn(file, [...args, url], { detached: true, stdio: 'ignore', env: environment });
  try {
    await once(browser, 'spawn');
  } catch {
    return false;
  }
  browser.unref();
  return true;
}

/** Returns the program that opens a page, with its arguments; null when there is none. */
export function findBrowserCommand(
  { BROWSER, DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): readonly string[] | null {
  // A list in order of preference, as xdg-open reads it.
  const [chosen = ''] = (BROWSER ?? '').split(platform === 'win32' ? ';' : ':');
  if (chosen !== '') return [chosen];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['explorer.exe'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
