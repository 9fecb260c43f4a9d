import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts one of the commands in scripts/, as an operator does. */
export const startScript = (script: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, [`scripts/${script}.ts`, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs a command to its end; returns its exit code and its output. */
export async function runScript(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; text: string }> {
  const child = startScript(script, args, env);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}
