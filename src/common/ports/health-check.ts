/**
 * Returns why something does not work now, as a sentence for the operator, or null while it works. The sentence is only shown:
 * nobody tells reasons apart.
 */
export type HealthCheck = () => string | null;

/** A health check that asks another process. */
export type RemoteHealthCheck = () => Promise<string | null>;
