/** What one WebSocket may send in one time window. A thousand subscriptions send about a tenth of it. */
const MAX_MESSAGES = 50_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Messages without a subscription or request. A few are normal just after a subscription has ended. */
const MAX_STRAYS = 10_000;

/** Counts what a WebSocket sends. Each method returns the limit that was exceeded, or null. */
export class MessageMeter {
  #messages = 0;
  #bytes = 0;
  #strays = 0;

  /** Starts a new time window. */
  reset(): void {
    this.#messages = 0;
    this.#bytes = 0;
    this.#strays = 0;
  }

  message(bytes: number): string | null {
    this.#bytes += bytes;
    if (++this.#messages > MAX_MESSAGES) return `more than ${MAX_MESSAGES} messages`;
    return this.#bytes > MAX_BYTES ? `more than ${MAX_BYTES} bytes` : null;
  }

  stray(): string | null {
    return ++this.#strays > MAX_STRAYS ? `more than ${MAX_STRAYS} messages that nobody asked for` : null;
  }
}
