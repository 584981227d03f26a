import { expect, it } from 'vitest';
import { createLogger } from './log.ts';
import { formatLogLine, createTerminalLog } from './pretty.ts';

it('writes a line with its time, level, message and fields, without control characters', () => {
  const line = {
    level: 30,
    time: 1_790_000_000_000,
    pid: 1,
    hostname: 'h',
    reqId: 'r',
    ms: 5,
    msg: 'answered',
  };
  expect(formatLogLine(`${JSON.stringify(line)}\n`)).toBe('14:13:20 info  answered reqId=r ms=5\n');
  expect(formatLogLine(JSON.stringify({ level: 40, time: 0, msg: 'a\u001b[2Jb' }))).toBe(
    '00:00:00 WARN  a\uFFFD[2Jb\n',
  );
  const err = { type: 'Error', message: 'why', stack: 'Error: why\n    at x' };
  expect(formatLogLine(JSON.stringify({ level: 50, time: 0, err, msg: 'failed' }))).toBe(
    '00:00:00 ERROR failed\nError: why\n    at x\n',
  );
  expect(formatLogLine('no JSON\n')).toBe('no JSON\n');
});

it('holds back lines below warn until the banner is written, and keeps their order', () => {
  const written: string[] = [];
  const log = createTerminalLog((text) => written.push(text.slice(9).trim()));
  const logger = createLogger('info', log);
  logger.info('one');
  logger.warn('urgent');
  logger.info('two');
  written.push('banner');
  log.release();
  logger.info('three');
  expect(written).toEqual(['WARN  urgent', 'banner', 'info  one', 'info  two', 'info  three']);
});
