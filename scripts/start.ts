import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../src/platform/compile-cache.ts';
import { ensureBuild } from './build.ts';
import { nodeOptions, processEnvironment } from './process-options.ts';

// `npm start`: builds the pages when their sources changed, then becomes the program.
const root = fileURLToPath(new URL('..', import.meta.url));
const dev = process.argv.includes('--dev');
if (!dev) ensureBuild(root);

process.chdir(root);
const parameters = [...nodeOptions, 'src/main.ts', ...(dev ? ['--dev'] : [])];
// What Node made of our several hundred source files is kept for the next start. A folder of one's own may be named outside.
const environment = { NODE_COMPILE_CACHE: compileCache, ...processEnvironment, ...process.env };

// The program takes this process's place: one that only waited for it would hold 80 MB. Windows cannot do so.
if (process.platform === 'win32') startBeside();
else process.execve?.(process.execPath, [process.execPath, ...parameters], environment);

/** Starts the program as a child, hands signals on and ends as it does. */
function startBeside(): void {
  const program = spawn(process.execPath, parameters, { stdio: 'inherit', env: environment });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
  program.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
}
