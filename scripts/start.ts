import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../src/platform/compile-cache.ts';
import { ensureBuild } from './build.ts';

// `npm start`: builds the pages when their sources changed, then becomes the program. Signals reach it through npm's shell.
const root = fileURLToPath(new URL('..', import.meta.url));
const dev = process.argv.includes('--dev');
if (!dev) ensureBuild(root);

/** A young generation of 16 MB per half, and memory that a finished compilation leaves behind, made a third of what lay there at rest. */
const small = {
  node: ['--max-semi-space-size=8'],
  environment: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' },
};
const program = spawn(process.execPath, [...small.node, 'src/main.ts', ...(dev ? ['--dev'] : [])], {
  cwd: root,
  stdio: 'inherit',
  // What Node made of our several hundred source files is kept for the next start. A folder of one's own may be named outside.
  env: { NODE_COMPILE_CACHE: compileCache, ...small.environment, ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
program.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
