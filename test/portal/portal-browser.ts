import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser as Chromium, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { onFailedWait, PATIENCE_MS } from '../../src/testing/waits.ts';
import { FLAGS, findBrowser } from '../browser.ts';
import { SharedInstance } from '../e2e/shared-instance.ts';

/** How a page is looked at. */
export interface PortalView {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
}

const WIDE: PortalView = { width: 1440, height: 900, scheme: 'light' };

const command = findBrowser();
if (command === null) process.stdout.write('The portal is not tested in a browser: there is no Chromium.\n');

/** Whether there is a Chromium: `describe.runIf(hasBrowser)`. */
export const hasBrowser = command !== null;

/**
 * A browser, and an instance whose portal it shows. A page may not write an error or a warning to its console, throw, break
 * its content policy, or ask another host for anything: the test then fails.
 */
export class PortalBrowser {
  readonly instance = new SharedInstance();
  readonly complaints: string[] = [];
  #browser: Chromium | null = null;
  #contexts: BrowserContext[] = [];
  #expected: RegExp[] = [];

  /** The address of the portal on the REST port. */
  get url(): string {
    return `${this.instance.restUrl}/portal`;
  }

  /** The address of the portal on the admin port. */
  get adminUrl(): string {
    return `${this.instance.adminUrl}/portal`;
  }

  async open(): Promise<void> {
    const [browser] = await Promise.all([
      chromium.launch({ executablePath: findOnPath(command ?? ''), args: FLAGS }),
      this.instance.open(),
    ]);
    this.#browser = browser;
  }

  async close(): Promise<void> {
    await Promise.all([this.#browser?.close(), this.instance.close()]);
  }

  /**
   * Opens a page of the portal in a profile of its own: no key and no choice of another test is in it.
   *
   * @param path - What follows `/portal`, or a whole address.
   */
  async visit(path = '', view: PortalView = WIDE): Promise<Page> {
    const { width, height, scheme } = view;
    const context = await this.launched.newContext({ viewport: { width, height }, colorScheme: scheme });
    context.setDefaultTimeout(PATIENCE_MS);
    this.#contexts.push(context);
    context.on('page', (page) => this.#watch(page));
    const page = await context.newPage();
    await page.goto(/^\w+:/.test(path) ? path : `${this.url}${path}`);
    return page;
  }

  /**
   * Opens a page of the admin port, signed in.
   *
   * @param path - What follows `/portal`.
   * @param credential - Default: the operator's.
   */
  async visitSignedIn(path: string, view: PortalView = WIDE, credential?: string): Promise<Page> {
    const page = await this.visit(`${this.adminUrl}${path}`, view);
    await this.signIn(page, credential);
    return page;
  }

  /**
   * Signs a page of the admin port in, as the form does in another tab. All later pages of the same profile are signed in, too.
   *
   * @param credential - Default: the operator's.
   */
  async signIn(page: Page, credential = this.instance.operatorCredential): Promise<void> {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ credential }),
    };
    const status = await page.evaluate(`(async () => {
      const answer = await fetch('/admin/v1/session', ${JSON.stringify(init)});
      if (answer.ok) localStorage.setItem('sluice-session', (await answer.json()).pageToken);
      dispatchEvent(new StorageEvent('storage', { key: 'sluice-session' }));
      return answer.status;
    })()`);
    expect(status).toBe(200);
  }

  /** Says what the console of a page may say in this test: that a request was refused, where the test wants a refusal. */
  expectComplaint(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  get launched(): Chromium {
    if (this.#browser === null) throw new Error('the browser is there from beforeAll to afterAll only');
    return this.#browser;
  }

  /** Closes the pages of a test, and fails if one of them complained. */
  async finishTest(): Promise<void> {
    const contexts = this.#contexts.splice(0);
    const unexpected = this.complaints
      .splice(0)
      .filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
    this.#expected = [];
    await Promise.all(contexts.map((context) => context.close()));
    expect(unexpected).toEqual([]);
  }

  #watch(page: Page): void {
    const own = [this.instance.restUrl, this.instance.adminUrl].map((url) => new URL(url).origin);
    page.on('console', (message) => {
      if (['error', 'warning', 'assert'].includes(message.type()))
        this.complaints.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.complaints.push(`exception: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (['http:', 'https:', 'ws:', 'wss:'].includes(protocol) && !own.includes(origin))
        this.complaints.push(`foreign request: ${request.url()}`);
    });
  }
}

/**
 * Gives the tests of a file a browser and an instance, from `beforeAll` to `afterAll`.
 *
 * @example
 * ```ts
 * const portal = usePortal();
 * it('shows its version', async () => {
 *   const page = await portal.visit('/explorer');
 *   await page.getByRole('heading', { name: 'Explorer' }).waitFor();
 * });
 * ```
 */
export function usePortal(): PortalBrowser {
  const portal = new PortalBrowser();
  let endReports = () => {};
  beforeAll(async () => {
    await portal.open();
    endReports = onFailedWait(() => `the pages complained:\n${portal.complaints.join('\n')}`);
  });
  afterEach(() => portal.finishTest());
  afterAll(async () => {
    endReports();
    await portal.close();
  });
  return portal;
}

function findOnPath(name: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? name;
}
