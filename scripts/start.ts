import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../src/platform/compile-cache.ts';
import { ensureBuild } from './build.ts';

// `npm start`: builds the pages when their sources changed, then becomes the program. Signals reach it through npm's shell.
const root = fileURLToPath(new URL('..', import.meta.url));
const dev = process.argv.includes('--dev');
if (!dev) ensureBuild(root);

const program = spawn(process.execPath, ['--enable-source-maps', 'src/main.ts', ...(dev ? ['--dev'] : [])], {
  cwd: root,
  stdio: 'inherit',
  // What Node made of our several hundred source files is kept for the next start. A folder of one's own may be named outside.
  env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
program.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
