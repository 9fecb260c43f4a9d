/**
 * How the program's process is started: a young generation of 16 MB per half, and malloc settings that return what finished
 * compilations leave behind, which was a third of the memory at rest. The embedded database is WebAssembly: compiling several of
 * its functions at once cost memory and made no statement faster (docs/decisions/0014).
 */
export const nodeOptions = ['--max-semi-space-size=8', '--wasm-num-compilation-tasks=1'];
export const processEnvironment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
  // Each DuckDB statement occupies a thread of Node's pool, which files and DNS need too; the default of four is fewer than jobs
  // and queries.
  UV_THREADPOOL_SIZE: '12',
};
