import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const START_LIMIT_MS = 120_000;
/** The flags with which Chromium is started in tests. */
export const FLAGS = [
  ...['--headless=new', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--mute-audio'],
  // Nothing is asked of other machines: not by pages, and not by the browser itself.
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-pings'],
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  // Chromium's sandbox refuses to run as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** The command of an installed Chromium that can show a page here; null when there is none. */
export function findBrowser(): string | null {
  const works = (name: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-browser-'));
    const args = [...FLAGS, `--user-data-dir=${folder}`, '--dump-dom', 'data:text/html,<p>shown</p>'];
    const options = { encoding: 'utf8', env: environment(folder), timeout: START_LIMIT_MS } as const;
    const { status, stdout } = spawnSync(name, args, options);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    return status === 0 && stdout.includes('shown');
  };
  return NAMES.find(works) ?? null;
}

/** What the browser writes beside its profile goes into the folder that is removed. */
const environment = (folder: string): NodeJS.ProcessEnv => ({ ...process.env, TMPDIR: folder });

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** A Chromium without a window, driven by its DevTools protocol over a pipe. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #tabs = new Map<string, Tab>();
  #calls = 0;

  constructor(command: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'sluice-browser-'));
    const args = [...FLAGS, `--user-data-dir=${this.#folder}`, '--remote-debugging-pipe'];
    this.#child = spawn(command, args, {
      env: environment(this.#folder),
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // A group of its own, because the browser has many processes.
      detached: true,
    });
    this.#ended = new Promise((resolve) => this.#child.once('close', () => resolve()));
    let rest = '';
    (this.#child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = `${rest}${chunk}`.split('\0');
      rest = messages.pop() ?? '';
      for (const text of messages) this.#receive(JSON.parse(text));
    });
    (this.#child.stdio[3] as Writable).on('error', () => {});
  }

  /** Opens an empty tab. Everything that it requests and reports is recorded from then on. */
  async open(): Promise<Tab> {
    const { targetId } = await this.call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.call('Target.attachToTarget', { targetId, flatten: true });
    const tab = new Tab((method, params) => this.call(method, params, String(sessionId)));
    this.#tabs.set(String(sessionId), tab);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await tab.call(`${domain}.enable`);
    await tab.call('Page.setLifecycleEventsEnabled', { enabled: true });
    return tab;
  }

  /** Calls a method of the protocol. @throws Error with the browser's message, or when the browser is gone */
  async call(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
    const id = ++this.#calls;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const gone = this.#ended.then((): Message => ({ error: { message: 'the browser has ended' } }));
    const { error, result = {} } = await Promise.race([answered, gone]);
    this.#waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async close(): Promise<void> {
    if (this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null)
      process.kill(-this.#child.pid, 'SIGKILL');
    await this.#ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  #receive(message: Message): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    else if (message.method !== undefined)
      this.#tabs.get(message.sessionId ?? '')?.receive(message.method, message.params ?? {});
  }
}

/** How a page is looked at. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
}

export class Tab {
  /** The addresses that the tab has requested. */
  readonly requests: string[] = [];
  /** Errors and warnings of the console, exceptions, and what the content policy refused. */
  readonly complaints: string[] = [];
  readonly call: (method: string, params?: object) => Promise<Record<string, unknown>>;
  /** The loaders of the documents that are loaded, which tell them from those that were there before. */
  readonly #loaded = new Set<string>();
  #onLoad: () => void = () => {};

  constructor(call: Tab['call']) {
    this.call = call;
  }

  async look({ width, height, scheme }: View): Promise<void> {
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.call('Emulation.setEmulatedMedia', { features });
    await this.call('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }

  /** Goes to a page, and waits until it is loaded. */
  async go(url: string): Promise<void> {
    const { errorText, loaderId } = await this.call('Page.navigate', { url });
    if (errorText !== undefined) throw new Error(`${url}: ${String(errorText)}`);
    // Without a loader, it is another place of the same page.
    if (loaderId !== undefined) await this.#until(() => this.#loaded.has(String(loaderId)));
  }

  /** Waits until the page is loaded that an action leads to. */
  async loading(action: () => Promise<void>): Promise<void> {
    const known = this.#loaded.size;
    await action();
    await this.#until(() => this.#loaded.size > known);
  }

  /** Evaluates an expression in the page, whose value is JSON. @throws Error with the exception of the page */
  async evaluate<T>(expression: string): Promise<T> {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', options);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  }

  /** Clicks with the mouse in the middle of the first element that a selector finds, once that is in view. */
  async click(selector: string): Promise<void> {
    const { x, y } = await this.evaluate<{ x: number; y: number }>(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = element.getClientRects()[0];
      return { x: x + width / 2, y: y + height / 2 };
    })()`);
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  }

  async type(text: string): Promise<void> {
    await this.call('Input.insertText', { text });
  }

  /** Presses a key on the keyboard, such as `ArrowDown`. @param modifiers - Those of the protocol; 2 is Control */
  async press(key: string, modifiers = 0): Promise<void> {
    const text = key.length === 1 && modifiers === 0 ? { text: key } : {};
    const code =
      { Enter: { windowsVirtualKeyCode: 13, text: '\r' }, Escape: { windowsVirtualKeyCode: 27 } }[key] ?? {};
    await this.call('Input.dispatchKeyEvent', { type: 'keyDown', key, modifiers, ...text, ...code });
    await this.call('Input.dispatchKeyEvent', { type: 'keyUp', key, modifiers });
  }

  /** Takes what the browser reports of this tab. */
  receive(method: string, params: Record<string, unknown>): void {
    const text = JSON.stringify(params);
    if (method === 'Page.lifecycleEvent' && params.name === 'load') {
      this.#loaded.add(String(params.loaderId));
      this.#onLoad();
    }
    if (method === 'Network.requestWillBeSent') this.requests.push((params.request as { url: string }).url);
    if (method === 'Runtime.exceptionThrown') this.complaints.push(text);
    if (method === 'Runtime.consoleAPICalled' && /^(error|warning|assert)$/.test(String(params.type)))
      this.complaints.push(text);
    if (method === 'Log.entryAdded' && /"level":"(error|warning)"/.test(text)) this.complaints.push(text);
  }

  /** Resolves when a condition holds, which is looked at whenever a document is loaded. */
  #until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#onLoad = () => {
        if (condition()) resolve();
      };
      this.#onLoad();
    });
  }
}
