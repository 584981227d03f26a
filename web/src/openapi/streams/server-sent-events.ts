/** An event of a stream, as the browser's `EventSource` would dispatch it. */
export interface ServerSentEvent {
  /** `message` if the stream names no type. */
  readonly type: string;
  readonly data: string;
  /** The last id that the stream has given; empty if it gave none. */
  readonly id: string;
}

/**
 * Parses server-sent events from pieces of a stream, wherever it is cut. `EventSource` cannot send an API key, and hides the
 * text of a refusal.
 *
 * @example
 * ```ts
 * import { ServerSentEventParser } from './server-sent-events.ts';
 *
 * const parser = new ServerSentEventParser();
 * parser.read('event: prices\ndata: {"a"'); // []
 * parser.read(':1}\n\n'); // [{ type: 'prices', data: '{"a":1}', id: '' }]
 * ```
 */
export class ServerSentEventParser {
  /** A line whose end has not arrived. */
  #rest = '';
  #isAtBeginning = true;
  /** Whether the last piece ended with a carriage return, whose line feed may follow. */
  #mayFollowReturn = false;
  #type = '';
  #data: string[] = [];
  #id = '';

  /** Returns the events that are complete with this piece. A piece that ends within an event is kept. */
  read(piece: string): readonly ServerSentEvent[] {
    if (piece === '') return [];
    let text = piece;
    if (this.#isAtBeginning) text = text.replace(/^\uFEFF/, '');
    if (this.#mayFollowReturn) text = text.replace(/^\n/, '');
    this.#isAtBeginning = false;
    this.#mayFollowReturn = text === '' ? false : text.endsWith('\r');
    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#readLine(line));
  }

  #readLine(line: string): readonly ServerSentEvent[] {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#type = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    return [];
  }

  #dispatch(): readonly ServerSentEvent[] {
    const [type, data] = [this.#type, this.#data];
    this.#type = '';
    this.#data = [];
    return data.length === 0 ? [] : [{ type: type || 'message', data: data.join('\n'), id: this.#id }];
  }
}
