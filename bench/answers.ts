import { Agent, request } from 'node:http';

/** One answer: its status, and when it was requested and received, in milliseconds of one clock. */
export interface Answer {
  readonly status: number;
  readonly sentAt: number;
  readonly endedAt: number;
}

/** Sends requests over a number of connections. Resolves to the answers, in the order in which they arrived. */
export async function answersOf(
  url: string,
  key: string,
  requests: number,
  connections: number,
): Promise<readonly Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Answer[] = [];
  let left = requests;
  const sendNext = async () => {
    while (left-- > 0) {
      const sentAt = performance.now();
      const status = await get(url, key, agent);
      answers.push({ status, sentAt, endedAt: performance.now() });
    }
  };
  await Promise.all(Array.from({ length: connections }, sendNext));
  agent.destroy();
  return answers;
}

/** Resolves to the milliseconds that each request took. All must be answered with 200. */
export async function timesOf(
  url: string,
  key: string,
  requests: number,
  connections: number,
): Promise<number[]> {
  const answers = await answersOf(url, key, requests, connections);
  return answers.map(({ status, sentAt, endedAt }) => {
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    return endedAt - sentAt;
  });
}

function get(url: string, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).end();
  });
}
