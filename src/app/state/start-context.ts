import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { StartRecord } from './start-record.ts';

/** Closes something that was opened at the start. */
export type Close = () => Promise<void> | void;

/** Passed to every function that opens a part of the application. */
export interface StartContext {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  /** What the report of the settings needs. Absent when nothing reports them, as in a keeper. */
  readonly start?: StartRecord;
  /** Registers what must be closed at the end. What was registered last is closed first. */
  readonly toClose: (close: Close) => void;
}

/**
 * Opens parts one after another. If one cannot be opened, those before it are closed.
 * @param open - It registers each part that it has opened.
 * @returns what `open` does, and what closes all parts in the reverse order
 */
export async function openInOrder<T>(
  open: (toClose: StartContext['toClose']) => Promise<T>,
): Promise<T & { readonly close: () => Promise<void> }> {
  const opened: Close[] = [];
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one();
  };
  try {
    return { ...(await open((one) => opened.push(one))), close };
  } catch (error) {
    await close();
    throw error;
  }
}
