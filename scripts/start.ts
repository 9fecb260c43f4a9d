import { spawn } from 'node:child_process';
import { flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../src/platform/compile-cache.ts';
import { ensureBuild } from './bundle/build.ts';
import { nodeOptions, processEnvironment } from './process-options.ts';

// `npm start`: builds pages and program if their sources changed, then becomes the program. `--dev` runs the sources.
const root = fileURLToPath(new URL('..', import.meta.url));
const dev = process.argv.includes('--dev');
const program = dev ? ['src/run.ts', '--dev'] : [await ensureBuild(root)];

process.chdir(root);
const parameters = [...nodeOptions, ...program];
// Caches Node's compiled code for the next start. The environment may name another folder.
const environment = { NODE_COMPILE_CACHE: compileCache, ...processEnvironment, ...process.env };

// Node writes its compile cache when a process ends, which this one does not.
flushCompileCache();
// The program replaces this process: a process that only waited for it would take 80 MB. Windows does not support that.
if (process.platform === 'win32') startBeside();
else process.execve?.(process.execPath, [process.execPath, ...parameters], environment);

/** Starts the program as a child process, forwards signals and exits with its code. */
function startBeside(): void {
  const program = spawn(process.execPath, parameters, { stdio: 'inherit', env: environment });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
  program.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
}
