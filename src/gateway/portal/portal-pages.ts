import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendGatewayError } from '../http/errors.ts';
import type { PortalBuild } from './portal-build.ts';
import { sendFile } from './send-file.ts';
import { UNBUILT_PAGE, UNBUILT_STYLE } from './unbuilt-page.ts';

/** The path of the portal. Everything below it belongs to it. */
export const PORTAL_PATH = '/portal';

/** The portal loads from its own server only, runs nothing that stands in a page, and cannot be framed. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
} as const;

/** The names of these files contain a hash of their contents. */
const ASSETS = 'assets/';
const ONE_YEAR = 'public, max-age=31536000, immutable';
/** How long a page that is being built may take. */
const RETRY_SECONDS = 15;

/** The portal's files take no key and no credits. Of the firewall's rules, only those apply that name its path. */
const OPEN_PORTAL = { config: { free: true, firewallPath: PORTAL_PATH }, schema: { hide: true } } as const;

/**
 * Registers the pages of the portal: its files, and its page for every other path, because the page itself shows what the path
 * names.
 * @param readBuild - Returns null if the portal is not built.
 */
export function registerPortalPages(app: FastifyInstance, readBuild: () => PortalBuild | null): void {
  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const build = readBuild();
    if (build !== null) return sendFile(build.page, request, reply.headers(PAGE_HEADERS));
    return reply
      .code(503)
      .headers(PAGE_HEADERS)
      .header('retry-after', RETRY_SECONDS)
      .type('text/html; charset=utf-8')
      .send(UNBUILT_PAGE);
  };
  app.get(PORTAL_PATH, OPEN_PORTAL, async (request, reply) => sendPage(request, reply));
  app.get(`${PORTAL_PATH}/unbuilt.css`, OPEN_PORTAL, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(UNBUILT_STYLE),
  );
  app.get<{ Params: { '*': string } }>(`${PORTAL_PATH}/*`, OPEN_PORTAL, async (request, reply) => {
    const name = request.params['*'];
    const file = readBuild()?.files.get(name);
    if (file !== undefined) {
      const control = name.startsWith(ASSETS) ? ONE_YEAR : 'no-cache';
      return sendFile(file, request, reply.header('cache-control', control));
    }
    // A missing script must not be answered with a page, and data has its own routes.
    if (/^(assets|data)(\/|$)/.test(name)) return sendGatewayError(reply, 404, 'Not Found');
    return sendPage(request, reply);
  });
}
