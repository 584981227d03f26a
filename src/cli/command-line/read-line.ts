import { createInterface } from 'node:readline/promises';

/**
 * Reads one line of the standard input. On a terminal, it asks on the standard error with the question.
 *
 * Returns the line without its end; an empty text if the input ends before.
 */
export async function readLine(question: string): Promise<string> {
  const { stdin: input, stderr } = process;
  const lines = createInterface(input.isTTY ? { input, output: stderr } : { input });
  try {
    if (input.isTTY) return await lines.question(question);
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}
