import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];

/** The field of a log line that holds the request's id. */
export const REQUEST_ID_IN_LOG = 'reqId';

/**
 * A logger that is created when something is first logged with it, and so are its children. Fastify asks for a child for
 * every request, and nothing is logged for most of them.
 */
export class LazyLog implements FastifyBaseLogger {
  readonly #create: () => FastifyBaseLogger;
  #created: FastifyBaseLogger | null = null;

  constructor(create: () => FastifyBaseLogger) {
    this.#create = create;
  }

  get #log(): FastifyBaseLogger {
    this.#created ??= this.#create();
    return this.#created;
  }

  get level(): string {
    return this.#log.level;
  }

  set level(level: string) {
    this.#log.level = level;
  }

  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return new LazyLog(() => this.#log.child(bindings, options));
  }

  fatal(...line: Parameters<FastifyBaseLogger['fatal']>): void {
    this.#log.fatal(...line);
  }

  error(...line: Parameters<FastifyBaseLogger['error']>): void {
    this.#log.error(...line);
  }

  warn(...line: Parameters<FastifyBaseLogger['warn']>): void {
    this.#log.warn(...line);
  }

  info(...line: Parameters<FastifyBaseLogger['info']>): void {
    this.#log.info(...line);
  }

  debug(...line: Parameters<FastifyBaseLogger['debug']>): void {
    this.#log.debug(...line);
  }

  trace(...line: Parameters<FastifyBaseLogger['trace']>): void {
    this.#log.trace(...line);
  }

  silent(...line: Parameters<FastifyBaseLogger['silent']>): void {
    this.#log.silent(...line);
  }
}
