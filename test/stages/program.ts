import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { admin, databaseTemplate, token } from './kontor.ts';
import { refuseStrayed, strayedFiles, strayedLines } from './orders/person-watch.ts';

export type Program = { process: ChildProcess; url: string; output: () => string; dataFolder: string };

/**
 * For Node processes that live for seconds: skipping the optimising compilation of the embedded database saves a third of a
 * start.
 */
export const shortLived = ['--liftoff-only'];

/** Starts the program as a process of its own, which tests may kill, and waits until it prints its address. */
export async function startProgram(dataFolder: string, environment: Record<string, string> = {}): Promise<Program> {
  const databaseFolder = join(dataFolder, 'database');
  if (environment['DATABASE_URL'] === undefined && databaseTemplate !== undefined && !existsSync(databaseFolder)) {
    mkdirSync(dataFolder, { recursive: true });
    cpSync(databaseTemplate, databaseFolder, { recursive: true });
  }
  const child = spawn(process.execPath, [...shortLived, 'test/stages/serve.ts'], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      KONTOR_DATA: dataFolder,
      KONTOR_ADMIN_EMAIL: admin.email,
      KONTOR_ADMIN_PASSWORD: admin.password,
      KONTOR_API_TOKEN: token,
      KONTOR_LOG: 'error',
      KONTOR_MEMORY: '1GB',
      ...environment,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit');
  for (;;) {
    const url = output.match(/^ready (\S+)$/m)?.[1];
    if (url !== undefined) return { process: child, url, output: () => output, dataFolder };
    const ended = await Promise.race([
      exited.then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, 20, false)),
    ]);
    if (ended) throw new Error(`the program ended: ${output}`);
  }
}

/**
 * Kills the process like a power failure and waits until it has ended.
 * @throws if its output or files contain a person of an order; tables are checked by tests that import orders
 */
export async function kill(program: Program, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
  if (program.process.exitCode === null && program.process.signalCode === null) {
    const gone = once(program.process, 'exit');
    program.process.kill(signal);
    await gone;
  }
  refuseStrayed([...strayedLines(program.output()), ...strayedFiles(program.dataFolder)]);
  return program.process.exitCode;
}
