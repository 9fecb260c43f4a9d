import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../src/platform/compile-cache.ts';
import { ensureBuild } from './build.ts';
import { nodeOptions, processEnvironment } from './process-options.ts';

// `npm start`: builds the pages if their sources changed, then becomes the program.
const root = fileURLToPath(new URL('..', import.meta.url));
const dev = process.argv.includes('--dev');
if (!dev) ensureBuild(root);

process.chdir(root);
const parameters = [...nodeOptions, 'src/run.ts', ...(dev ? ['--dev'] : [])];
// Caches Node's compiled code of our several hundred source files for the next start. The environment may name another folder.
const environment = { NODE_COMPILE_CACHE: compileCache, ...processEnvironment, ...process.env };

// The program replaces this process: a process that only waited for it would take 80 MB. Windows does not support that.
if (process.platform === 'win32') startBeside();
else process.execve?.(process.execPath, [process.execPath, ...parameters], environment);

/** Starts the program as a child process, forwards signals and exits with its code. */
function startBeside(): void {
  const program = spawn(process.execPath, parameters, { stdio: 'inherit', env: environment });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
  program.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
}
