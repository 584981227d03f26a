import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config/config.ts';

/** Closes something that was opened at the start. */
export type Close = () => Promise<void> | void;

/** Passed to every function that opens a part of the application. */
export interface StartContext {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  /** Registers what must be closed at the end. What was registered last is closed first. */
  readonly toClose: (close: Close) => void;
}
