import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config.ts';

/** Closes something that is open. */
export type Close = () => Promise<void> | void;

/** What everything that is opened at the start has. */
export interface StartContext {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  /** What was opened last is closed first. */
  readonly toClose: (close: Close) => void;
}
