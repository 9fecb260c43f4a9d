/**
 * How the program's process is started: a young generation of 16 MB per half, and memory that a finished compilation leaves behind, made
 * a third of what lay there at rest. The embedded database is WebAssembly: several of its functions compiled at once cost memory and
 * made no statement faster (docs/decisions/0014).
 */
export const nodeOptions = ['--max-semi-space-size=8', '--wasm-num-compilation-tasks=1'];
export const processEnvironment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
  // Each DuckDB statement holds a thread of Node's pool, which files and DNS need too; the usual four are fewer than jobs and questions.
  UV_THREADPOOL_SIZE: '12',
};
