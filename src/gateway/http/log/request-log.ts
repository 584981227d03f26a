import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];

/** The field of a log line that holds the request's id. */
export const REQUEST_ID_IN_LOG = 'reqId';

/**
 * The logger of one request, with the request's id in each line. The child logger is created when something is logged,
 * because nothing is logged for most requests.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  readonly #options: ChildOptions;
  #child: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: ChildOptions) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get #log(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings, this.#options);
    return this.#child;
  }

  get level(): string {
    return this.#log.level;
  }

  set level(level: string) {
    this.#log.level = level;
  }

  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return this.#log.child(bindings, options);
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
