import { spawn } from 'node:child_process';

/**
 * Runs a program to its end with this process's terminal, passing on Ctrl-C and termination.
 * With `capture`, standard output is returned instead of shown.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, capture?: boolean }} options
 * @returns {Promise<{ code: number, output: string }>} 128 plus the signal's number when a signal ended it.
 */
export function run(program, args, { cwd, env = process.env, capture = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['inherit', capture ? 'pipe' : 'inherit', 'inherit'],
    });
    const chunks = /** @type {Buffer[]} */ ([]);
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    // A terminal sends Ctrl-C to the whole process group, so this process only has to outlive the child.
    const ignore = () => {};
    const terminate = () => child.kill('SIGTERM');
    process.on('SIGINT', ignore);
    process.on('SIGTERM', terminate);
    child.on('error', (error) => reject(new Error(`${program} could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', terminate);
      resolve({ code: code ?? (signal === 'SIGINT' ? 130 : 143), output: Buffer.concat(chunks).toString() });
    });
  });
}
