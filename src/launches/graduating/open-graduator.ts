import { Graduator, type GraduatorOptions } from './graduator.ts';

/** A service that migrates launches whose curve is complete. */
export interface OpenedGraduator {
  /** Returns why launches are not migrated by this process; null when they are, or another process migrates them. */
  readonly unhealthy: () => string | null;
  /** Begins no further migration. Resolves when none is on its way. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the service that migrates launches by itself. */
export function openGraduator(options: GraduatorOptions): OpenedGraduator {
  const graduator = new Graduator(options);
  graduator.start();
  return {
    unhealthy: () => graduator.unhealthy(),
    drain: () => graduator.drain(),
    close: () => graduator.close(),
  };
}
